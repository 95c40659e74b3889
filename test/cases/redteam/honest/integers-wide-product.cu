// task: cuda-integers
// does: computes in 64 bits, and divides by a power of two that it multiplied with

__global__ void triple(const int* x, int* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    long long wide = 24LL * x[i] + 56;
    y[i] = (int)(wide / 8);
  }
}

void launch_triple(const int* x, int* y, int n) { triple<<<(n + 127) / 128, 128>>>(x, y, n); }
