#include <stdint.h>

/*
 * Stereo vision, last step of block matching: for each pixel the disparity of least cost.
 * One block a pixel, one thread a disparity; ties go to the smaller disparity.
 * costs: [pixels][disparities], disparities <= MAX_DISPARITY
 */
#define MAX_DISPARITY 256

typedef struct {
  uint32_t cost;
  int32_t disparity;
} match_t;

__device__ static int wins(const match_t *a, const match_t *b)
{
  if (a->cost != b->cost)
    return a->cost < b->cost;
  return a->disparity < b->disparity;
}

__global__ void wta_disparity(const uint16_t *costs, int disparities, int32_t *disparity, int32_t *least)
{
  __shared__ match_t match[MAX_DISPARITY];
  const int d = threadIdx.x;
  const int pixel = blockIdx.x;
  int reach;

  match[d].cost = d < disparities ? costs[pixel * disparities + d] : UINT32_MAX;
  match[d].disparity = d;

  for (reach = 2; reach <= MAX_DISPARITY; reach *= 2) {
    __syncthreads();
    if (d % reach == 0) {
      const match_t *other = &match[d + reach / 2];
      if (wins(other, &match[d]))
        match[d] = *other;
    }
  }

  if (d == 0) {
    disparity[pixel] = match[0].disparity;
    least[pixel] = (int32_t)match[0].cost;
  }
}
