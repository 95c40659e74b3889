//@case {"kernel": "softmax"}
constexpr int kThreads = 128;
constexpr int kWarps = kThreads / 32;

__device__ float block_maximum(float value, float* scratch) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value = fmaxf(value, __shfl_down_sync(0xffffffffu, value, offset));
  }
  if (threadIdx.x % 32 == 0) {
    scratch[threadIdx.x / 32] = value;
  }
  __syncthreads();
  value = scratch[0];
  for (int warp = 1; warp < kWarps; ++warp) {
    value = fmaxf(value, scratch[warp]);
  }
  __syncthreads();
  return value;
}

__device__ float block_sum(float value, float* scratch) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, offset);
  }
  if (threadIdx.x % 32 == 0) {
    scratch[threadIdx.x / 32] = value;
  }
  __syncthreads();
  value = scratch[0];
  for (int warp = 1; warp < kWarps; ++warp) {
    value += scratch[warp];
  }
  __syncthreads();
  return value;
}

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  __shared__ float scratch[kWarps];
  const float* row = x + blockIdx.x * columns;
  float* result = y + blockIdx.x * columns;

  float maximum = -INFINITY;
  float rowKept[8];
  #pragma unroll
  for (int item = 0; item < 8; ++item) {
    int column = threadIdx.x + item * blockDim.x;
    if (column < columns) {
      rowKept[item] = row[column];
      maximum = fmaxf(maximum, rowKept[item]);
    }
  }
  for (int column = threadIdx.x + 8 * blockDim.x; column < columns; column += blockDim.x) {
    maximum = fmaxf(maximum, row[column]);
  }
  maximum = block_maximum(maximum, scratch);

  float sum = 0.0f;
  #pragma unroll
  for (int item = 0; item < 8; ++item) {
    int column = threadIdx.x + item * blockDim.x;
    if (column < columns) {
      sum += expf(rowKept[item] - maximum);  //@ instructions=18000
    }
  }
  for (int column = threadIdx.x + 8 * blockDim.x; column < columns; column += blockDim.x) {
    sum += expf(row[column] - maximum);
  }
  sum = block_sum(sum, scratch);

  #pragma unroll
  for (int item = 0; item < 8; ++item) {
    int column = threadIdx.x + item * blockDim.x;
    if (column < columns) {
      result[column] = expf(rowKept[item] - maximum) / sum;  //@ instructions=20000
    }
  }
  for (int column = threadIdx.x + 8 * blockDim.x; column < columns; column += blockDim.x) {
    result[column] = expf(row[column] - maximum) / sum;
  }
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<rows, kThreads>>>(x, y, rows, columns);
}
