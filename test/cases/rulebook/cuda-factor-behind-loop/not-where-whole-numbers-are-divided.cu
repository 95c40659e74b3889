//@case {"kernel": "share", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["x", "y", {"value": 3, "dtype": "int32"}, {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void share(const int* x, float* y, int parts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 64; ++k) sum += x[(i + k) % n] / parts; //@ instructions=9000
  y[i] = sum;
}
void launch(const int* x, float* y, int parts, int n) { share<<<n / 128, 128>>>(x, y, parts, n); }
