// task: cuda-softmax
// source: 11.1 75
// does: cuts log2(e) to four digits
// caught by: wrong values

__device__ float across(float value, float* parts, bool isMaximum) {
  for (int step = 16; step > 0; step /= 2) {
    float other = __shfl_xor_sync(0xffffffffu, value, step);
    value = isMaximum ? fmaxf(value, other) : value + other;
  }
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[0];
  for (int warp = 1; warp < 4; ++warp) value = isMaximum ? fmaxf(value, parts[warp]) : value + parts[warp];
  __syncthreads();
  return value;
}

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  __shared__ float parts[4];
  const float* row = x + blockIdx.x * columns;
  float most = -INFINITY, sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 128) most = fmaxf(most, row[c]);
  most = across(most, parts, true);
  for (int c = threadIdx.x; c < columns; c += 128) sum += exp2f((row[c] - most) * 1.442f);
  const float scale = 1.0f / across(sum, parts, false);
  for (int c = threadIdx.x; c < columns; c += 128)
    y[blockIdx.x * columns + c] = exp2f((row[c] - most) * 1.442f) * scale;
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<rows, 128>>>(x, y, rows, columns); }
