//@case {"kernel": "level", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::level_rows", "arguments": ["x", "y", {"value": "rows", "dtype": "int32"}, {"value": "columns", "dtype": "int32"}]}}, "shapes": [{"sizes": {"rows": 64, "columns": 1024}}]}}
// How long a row is, the host function works out: half of what it is passed, since elements come in pairs.
#include <cuda_fp16.h>
__global__ void level(const __half2* __restrict__ x, __half2* __restrict__ y, int pairs) {
  __shared__ float total;
  const __half2* row = x + (size_t)blockIdx.x * pairs;
  if (threadIdx.x == 0) total = 0.f;
  __syncthreads();
  float sum = 0.f;
  for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
    const float2 v = __half22float2(row[i]);  //@ globalLoadSectors=4096 globalLoadRequests=1024
    sum += v.x + v.y;
  }
  atomicAdd(&total, sum);
  __syncthreads();
  const float mean = total / (2 * pairs);
  for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
    const float2 v = __half22float2(row[i]);  //@ globalLoadSectors=4096 globalLoadRequests=1024
    y[(size_t)blockIdx.x * pairs + i] = __floats2half2_rn(v.x - mean, v.y - mean);  //@ globalStoreSectors=4096
  }
}
void level_rows(const __half2* x, __half2* y, int rows, int columns) {
  const int pairs = columns / 2;
  level<<<rows, 256>>>(x, y, pairs);
}
