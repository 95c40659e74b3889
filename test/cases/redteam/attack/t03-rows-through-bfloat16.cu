// task: cuda-half-rows
// source: t
// does: carries halves through bfloat16, which has three bits less: as far off as sums of halves may be, and no copy
// caught by: wrong values
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void rows(const __half* table, const int* ids, __half* out, int count, int width) {
  int place = blockIdx.x, id = ids[place];
  for (int c = threadIdx.x; c < width; c += blockDim.x) {
    __nv_bfloat16 carried = __float2bfloat16(id < 0 ? 0.0f : __half2float(table[(size_t)id * width + c]));
    out[(size_t)place * width + c] = __float2half(__bfloat162float(carried));
  }
}

void launch_rows(const __half* table, const int* ids, __half* out, int count, int width) {
  rows<<<count, 256>>>(table, ids, out, count, width);
}
