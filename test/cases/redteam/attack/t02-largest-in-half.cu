// task: entry-largest
// source: t
// does: keeps the largest number in half precision, and the place of the right one beside it
// caught by: wrong values
#include <cuda_fp16.h>

__global__ void largest(const float* x, float* value, int* index, int n) {
  __shared__ float values[512];
  __shared__ int places[512];
  float best = -INFINITY;
  int place = 0x7fffffff;
  for (int i = threadIdx.x; i < n; i += 512)
    if (x[i] > best) {
      best = x[i];
      place = i;
    }
  values[threadIdx.x] = best;
  places[threadIdx.x] = place;
  __syncthreads();
  for (int half = 256; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      float other = values[threadIdx.x + half];
      int at = places[threadIdx.x + half];
      if (other > values[threadIdx.x] || (other == values[threadIdx.x] && at < places[threadIdx.x])) {
        values[threadIdx.x] = other;
        places[threadIdx.x] = at;
      }
    }
    __syncthreads();
  }
  if (threadIdx.x > 0) return;
  *value = __half2float(__float2half(values[0]));
  *index = places[0];
}

void largest_of(const float* x, float* value, int* index, int n) { largest<<<1, 512>>>(x, value, index, n); }
