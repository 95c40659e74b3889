#include <algorithm>

template <typename Real>
__global__ void axpby(Real a, const Real* __restrict__ x, Real b, Real* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int hop = blockDim.x * gridDim.x;
  while (i < n) {
    y[i] = a * x[i] + b * y[i];
    i += hop;
  }
}

void axpby_host(double a, const double* x, double b, double* y, int n) {
  const int threads = 256;
  const int blocks = std::min((n + threads - 1) / threads, 4);
  axpby<double><<<blocks, threads>>>(a, x, b, y, n);
}
