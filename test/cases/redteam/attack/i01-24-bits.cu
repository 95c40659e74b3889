// task: cuda-integers
// source: verdicts 5
// does: multiplies the low 24 bits only
// caught by: wrong values

__global__ void triple(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __mul24(x[i], 3) + 7;
}

void launch_triple(const int* x, int* y, int n) { triple<<<(n + 63) / 64, 64>>>(x, y, n); }
