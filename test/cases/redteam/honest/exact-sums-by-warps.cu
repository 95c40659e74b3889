// task: cuda-exact-sums
// does: gives a warp to a row, whose lanes put their sums together with the rounding errors

__device__ void add(float& sum, float& lost, float term) {
  float next = sum + term;
  float own = next - sum;
  lost += (sum - (next - own)) + (term - own);
  sum = next;
}

__global__ void exact_sums(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x;
  float sum = 0.0f, lost = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) add(sum, lost, x[row * columns + c]);
  for (int step = 16; step > 0; step /= 2) {
    float other = __shfl_down_sync(0xffffffffu, sum, step);
    lost += __shfl_down_sync(0xffffffffu, lost, step);
    add(sum, lost, other);
  }
  if (threadIdx.x == 0) y[row] = sum + lost;
}

void launch_exact_sums(const float* x, float* y, int rows, int columns) {
  exact_sums<<<rows, 32>>>(x, y, rows, columns);
}
