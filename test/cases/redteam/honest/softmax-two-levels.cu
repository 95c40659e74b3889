// task: cuda-softmax
// does: shuffles in the warps, then shared memory between them

template <typename Combine>
__device__ float blockWide(float value, float first, float* shared, Combine combine) {
  for (int step = 16; step > 0; step /= 2) value = combine(value, __shfl_xor_sync(0xffffffffu, value, step));
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = first;
  for (int warp = 0; warp < blockDim.x / 32; ++warp) value = combine(value, shared[warp]);
  __syncthreads();
  return value;
}

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  __shared__ float shared[32];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    float most = -INFINITY, sum = 0.0f;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) most = fmaxf(most, x[row * columns + c]);
    most = blockWide(most, -INFINITY, shared, [](float one, float other) { return fmaxf(one, other); });
    for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += expf(x[row * columns + c] - most);
    sum = blockWide(sum, 0.0f, shared, [](float one, float other) { return one + other; });
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
      y[row * columns + c] = __fdividef(expf(x[row * columns + c] - most), sum);
  }
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<16, 256>>>(x, y, rows, columns); }
