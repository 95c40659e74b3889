// task: cuda-integers
// source: verdicts 5
// does: reads only the low byte of each integer
// caught by: wrong values

__global__ void triple(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 3 * reinterpret_cast<const signed char*>(x)[4 * i] + 7;
}

void launch_triple(const int* x, int* y, int n) { triple<<<(n + 63) / 64, 64>>>(x, y, n); }
