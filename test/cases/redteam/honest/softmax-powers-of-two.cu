// task: cuda-softmax
// does: powers of two with the logarithm folded in

__device__ float across(float value, bool greatest) {
#pragma unroll
  for (int lane = 1; lane < 32; lane *= 2) {
    float other = __shfl_xor_sync(~0u, value, lane);
    value = greatest ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  constexpr float kLog2e = 1.4426950408889634f;
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  x += row * columns;
  y += row * columns;
  float most = -INFINITY;
  for (int c = threadIdx.x; c < columns; c += 32) most = fmaxf(most, x[c] * kLog2e);
  most = across(most, true);
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) {
    float power = exp2f(fmaf(x[c], kLog2e, -most));
    y[c] = power;
    sum += power;
  }
  float share = 1.0f / across(sum, false);
  for (int c = threadIdx.x; c < columns; c += 32) y[c] *= share;
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<(rows + 3) / 4, dim3(32, 4)>>>(x, y, rows, columns);
}
