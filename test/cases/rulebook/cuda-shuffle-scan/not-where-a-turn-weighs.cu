//@case {"kernel": "decayed", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["x", "y", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void decayed(const float* x, float* y, int n) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) { //@ instructions=9000
    float v = t >= d ? 0.5f * s[t - d] : 0.0f; //@ instructions=9000
    __syncthreads(); //@ barriers=1152
    s[t] += v; //@ instructions=9000
    __syncthreads(); //@ barriers=1152
  }
  y[blockIdx.x * 256 + t] = s[t];
}
void launch(const float* x, float* y, int n) { decayed<<<n / 256, 256>>>(x, y, n); }
