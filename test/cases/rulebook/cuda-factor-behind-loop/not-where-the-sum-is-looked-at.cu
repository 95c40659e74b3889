//@case {"kernel": "clipped", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["x", "y", {"value": 3, "dtype": "float32"}, {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void clipped(const float* x, float* y, float width, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 64; ++k) { //@ instructions=900
    sum += x[(i + k) % n] / width; //@ instructions=9000
    if (sum > 1.0f) break; //@ instructions=900
  }
  y[i] = sum;
}
void launch(const float* x, float* y, float width, int n) { clipped<<<n / 128, 128>>>(x, y, width, n); }
