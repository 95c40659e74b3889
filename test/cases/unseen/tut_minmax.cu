#include <cfloat>
#define BLOCK_SIZE 512

// Smallest and largest value of each block, tree of neighbours.
__global__ void minMaxReduce(const float *data, float *mins, float *maxs, unsigned int n) {
  __shared__ float lo[BLOCK_SIZE];
  __shared__ float hi[BLOCK_SIZE];
  unsigned int t = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + t;
  lo[t] = (i < n) ? data[i] : FLT_MAX;
  hi[t] = (i < n) ? data[i] : -FLT_MAX;
  for (unsigned int stride = 1; stride < blockDim.x; stride <<= 1) {
    __syncthreads();
    if (t % (stride << 1) == 0) {
      lo[t] = fminf(lo[t], lo[t + stride]);
      hi[t] = fmaxf(hi[t], hi[t + stride]);
    }
  }
  if (t == 0) {
    mins[blockIdx.x] = lo[0];
    maxs[blockIdx.x] = hi[0];
  }
}

void minMax(const float *data, float *mins, float *maxs, unsigned int n) {
  minMaxReduce<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(data, mins, maxs, n);
}
