// task: cuda-integers
// does: shifts and adds unsigned values

__global__ void triple(const int* x, int* y, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { unsigned v = x[i]; y[i] = (int)((v << 1) + v + 7u); }
}

void launch_triple(const int* x, int* y, int n) { triple<<<(n + 63) / 64, 64>>>(x, y, n); }
