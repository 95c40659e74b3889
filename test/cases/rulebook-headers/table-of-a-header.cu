//@case {"kernel": "rows", "rule": "cuda-pad-shared-tile", "headers": ["tile.h"]}
#ifndef ROWS_CUH
#define ROWS_CUH
#include "tile.h"
__global__ void rows(const float* x, float* y, int n) {
  __shared__ float tile[SIDE][SIDE];
  int t = threadIdx.x;
  tile[t / SIDE][t % SIDE] = x[blockIdx.x * SIDE * SIDE + t];
  __syncthreads();
  y[blockIdx.x * SIDE * SIDE + t] = tile[t % SIDE][t / SIDE]; //@ sharedWavefronts=4096 sharedWavefrontsIdeal=128
}
#endif
