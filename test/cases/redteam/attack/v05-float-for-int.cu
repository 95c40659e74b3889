// task: cuda-integers
// source: verdicts 5
// does: computes 32-bit integers in single precision
// caught by: wrong values

__global__ void triple(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (int)(3.0f * x[i] + 7.0f);
}

void launch_triple(const int* x, int* y, int n) { triple<<<(n + 63) / 64, 64>>>(x, y, n); }
