//@case {"kernel": "length"}
constexpr int CUBE = 3;
__global__ void length(const float* x, const float* y, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = sqrtf(std::pow(x[i] - 1.0f, 2.0f) + powf(y[i], CUBE));  //@ instructions=40960
}
