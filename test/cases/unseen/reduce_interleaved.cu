#include <float.h>
const int TPB = 128;
__global__ void block_max(const float *a, float *m, int n) {
  __shared__ float cache[TPB];
  int gid = blockIdx.x * TPB + threadIdx.x;
  int lane = threadIdx.x;
  cache[lane] = gid < n ? a[gid] : -FLT_MAX;
  __syncthreads();
  for (int stride = 1; stride < TPB; stride <<= 1) {
    int index = 2 * stride * lane;
    if (index < TPB) cache[index] = fmaxf(cache[index], cache[index + stride]);
    __syncthreads();
  }
  if (lane == 0) m[blockIdx.x] = cache[0];
}
void maxima(const float *a, float *m, int n) { block_max<<<(n + TPB - 1) / TPB, TPB>>>(a, m, n); }
