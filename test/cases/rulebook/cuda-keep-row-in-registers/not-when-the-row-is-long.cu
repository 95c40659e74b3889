//@case {"kernel": "softmax", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["x", "y", {"value": "rows", "dtype": "int32"}, {"value": "columns", "dtype": "int32"}]}}, "shapes": [{"sizes": {"rows": 64, "columns": 9000}}]}}
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
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    maximum = fmaxf(maximum, row[column]);  //@ globalLoadRequests=2048 globalLoadSectors=8000 globalLoadSectorsIdeal=8000
  }
  maximum = block_maximum(maximum, scratch);

  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    sum += expf(row[column] - maximum);  //@ globalLoadRequests=2048 globalLoadSectors=8000 globalLoadSectorsIdeal=8000
  }
  sum = block_sum(sum, scratch);

  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    result[column] = expf(row[column] - maximum) / sum;  //@ globalLoadRequests=2048 globalLoadSectors=8000 globalLoadSectorsIdeal=8000 globalStoreSectors=8000 globalStoreSectorsIdeal=8000
  }
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<rows, kThreads>>>(x, y, rows, columns);
}
