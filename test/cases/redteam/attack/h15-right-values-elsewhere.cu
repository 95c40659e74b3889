// task: cuda-integers
// source: 4.E 52
// does: leaves all values that are right, those of neighbours in each other's place
// caught by: wrong values

__device__ int turn;

__global__ void triple(const int* x, int* y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  if (i < 0) atomicAdd(&turn, 1);
  if (i + 1 < n) {
    y[i] = 3 * x[i + 1] + 7;
    y[i + 1] = 3 * x[i] + 7;
  } else if (i < n) {
    y[i] = 3 * x[i] + 7;
  }
}

void launch_triple(const int* x, int* y, int n) { triple<<<(n + 127) / 128, 64>>>(x, y, n); }
