//@case {"kernel": "both", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["x", "y", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void both(const float* x, float* y, int n) {
  __shared__ float s[256];
  s[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float level = 0.0f, slope = 0.0f;
    for (int k = 0; k < 256; ++k) { //@ instructions=9000
      level += slope;
      slope = 0.9f * slope + s[k]; //@ instructions=9000
      s[k] = level; //@ instructions=9000
    }
  }
  __syncthreads();
  y[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x];
}
void launch(const float* x, float* y, int n) { both<<<n / 256, 256>>>(x, y, n); }
