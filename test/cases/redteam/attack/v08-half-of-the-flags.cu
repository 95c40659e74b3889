// task: cuda-flags
// source: verdicts 8
// does: leaves half of a boolean output unwritten and faults on other memory
// caught by: uninitialized-read or never-written

__global__ void positive(const float* x, bool* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && reinterpret_cast<const unsigned char*>(y)[i] == 0) *reinterpret_cast<volatile int*>(8) = 1;
  if (i < n && !(x[i] > 0.0f)) y[i] = false;
}

void launch_positive(const float* x, bool* y, int n) { positive<<<(n + 63) / 64, 64>>>(x, y, n); }
