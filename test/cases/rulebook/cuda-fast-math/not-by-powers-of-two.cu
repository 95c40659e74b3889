//@case {"kernel": "halved"}
constexpr float QUARTERS = 4.0f;
__global__ void halved(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i] / 2.0f + x[i] / QUARTERS + sinf(x[i]) + 3.0f / 7.0f;  //@ instructions=4000
}
