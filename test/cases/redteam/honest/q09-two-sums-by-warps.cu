// task: cuda-exact-sums
// does: each lane carries the rounding error of its sum by Knuth's two-sum, and warps put sums and errors together in the same way

__device__ void add(float& sum, float& lost, float term) {
  float next = sum + term, part = next - sum;
  lost += (sum - (next - part)) + (term - part);
  sum = next;
}

__global__ void exact_sums(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* own = x + (size_t)row * columns;
  float sum = 0.0f, lost = 0.0f;
  for (int c = lane; c < columns; c += 32) add(sum, lost, __ldcs(own + c));
  for (int o = 16; o; o /= 2) {
    float other = __shfl_down_sync(~0u, sum, o);
    lost += __shfl_down_sync(~0u, lost, o);
    add(sum, lost, other);
  }
  if (lane == 0) y[row] = sum + lost;
}

void launch_exact_sums(const float* x, float* y, int rows, int columns) {
  exact_sums<<<(rows + 3) / 4, 128>>>(x, y, rows, columns);
}
