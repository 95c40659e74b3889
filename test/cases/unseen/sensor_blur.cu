// Denoise stage of the front camera: gaussian blur with run-time radius, 8 bit in and out.
#include <cuda_runtime.h>
#include <stdint.h>

#define MAX_RADIUS 7

typedef struct {
  const uint8_t *src;
  uint8_t *dst;
  int width;
  int height;
  int stride; /* bytes from line to line */
} blur_job_t;

static __device__ __forceinline__ int clampi(int v, int lo, int hi)
{
  return v < lo ? lo : (v > hi ? hi : v);
}

__global__ void blur_line_kernel(blur_job_t job, int radius, float sigma)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= job.width || y >= job.height)
    return;

  float taps[2 * MAX_RADIUS + 1];
  float norm = 0.0f;
  for (int t = -radius; t <= radius; ++t) {
    const float w = __expf(-(t * t) / (2.0f * sigma * sigma));
    taps[t + radius] = w;
    norm += w;
  }

  float acc = 0.0f;
  for (int t = -radius; t <= radius; ++t) {
    const int xx = clampi(x + t, 0, job.width - 1);
    acc += taps[t + radius] * job.src[y * job.stride + xx];
  }
  job.dst[y * job.stride + x] = (uint8_t)(acc / norm + 0.5f);
}

extern "C" int sensor_blur(const uint8_t *src, uint8_t *dst, int width, int height, int stride, int radius,
                           float sigma)
{
  if (radius < 1 || radius > MAX_RADIUS)
    return -1;
  blur_job_t job;
  job.src = src;
  job.dst = dst;
  job.width = width;
  job.height = height;
  job.stride = stride;
  const dim3 block(32, 8);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  blur_line_kernel<<<grid, block>>>(job, radius, sigma);
  return cudaGetLastError() == cudaSuccess ? 0 : -2;
}
