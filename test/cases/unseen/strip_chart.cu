// Loudness of each channel of interleaved sound: a block for each channel, whose threads take samples that
// lie a frame apart.
#include <cuda_runtime.h>

constexpr unsigned kEveryLane = 0xffffffffu;
constexpr int kThreads = 128;

__inline__ __device__ float sumOfWarp(float v)
{
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(kEveryLane, v, o);
  return v;
}

__inline__ __device__ float sumOfBlock(float v)
{
  __shared__ float part[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = sumOfWarp(v);
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? part[lane] : 0.f;
  if (warp == 0) v = sumOfWarp(v);
  return v;
}

__global__ void loudness(const float* __restrict__ sound, float* __restrict__ level, int frames, int channels)
{
  const int channel = blockIdx.x;
  float power = 0.f;
  for (int f = threadIdx.x; f < frames; f += blockDim.x) {
    const float here = sound[(size_t)f * channels + channel];
    power += here * here;
  }
  power = sumOfBlock(power);
  if (threadIdx.x == 0) level[channel] = sqrtf(power / frames);
}

void stripLevels(const float* sound, float* level, int frames, int channels)
{
  loudness<<<channels, kThreads>>>(sound, level, frames, channels);
}
