// task: cuda-softmax
// does: keeps a row in registers where it fits, and reads it again where it does not

template <bool maximum>
__device__ float across(float value) {
  __shared__ float parts[8];
  for (int step = 16; step > 0; step >>= 1) {
    float other = __shfl_down_sync(~0u, value, step);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[0];
  for (int warp = 1; warp < 8; ++warp) value = maximum ? fmaxf(value, parts[warp]) : value + parts[warp];
  __syncthreads();
  return value;
}

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  constexpr int kKept = 4;
  x += static_cast<size_t>(blockIdx.x) * columns;
  y += static_cast<size_t>(blockIdx.x) * columns;
  float kept[kKept];
  float most = -INFINITY;
#pragma unroll
  for (int part = 0; part < kKept; ++part) {
    int c = part * 256 + threadIdx.x;
    kept[part] = c < columns ? x[c] : -INFINITY;
    most = fmaxf(most, kept[part]);
  }
  for (int c = kKept * 256 + threadIdx.x; c < columns; c += 256) most = fmaxf(most, x[c]);
  most = across<true>(most);
  float sum = 0.0f;
#pragma unroll
  for (int part = 0; part < kKept; ++part) sum += part * 256 + threadIdx.x < columns ? expf(kept[part] - most) : 0.0f;
  for (int c = kKept * 256 + threadIdx.x; c < columns; c += 256) sum += expf(x[c] - most);
  sum = across<false>(sum);
#pragma unroll
  for (int part = 0; part < kKept; ++part)
    if (int c = part * 256 + threadIdx.x; c < columns) y[c] = expf(kept[part] - most) / sum;
  for (int c = kKept * 256 + threadIdx.x; c < columns; c += 256) y[c] = expf(x[c] - most) / sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<rows, 256>>>(x, y, rows, columns); }
