//@case {"kernel": "scale", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": []}}}}
#include <algorithm>
__global__ void scale(const double* x, double* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = 2.0 * x[i];  //@ instructions=4000
}

void run(const double* x, double* y, int n) {
  const int threads = 256;
  const int blocks = std::min((n + threads - 1) / threads, 4);
  scale<<<blocks, threads>>>(x, y, n);
}
