// Root-sum-of-squares combination of receive coils with noise weights.
#include <cuda_runtime.h>
#include <cuComplex.h>

template <unsigned THREADS>
__global__ void rss_combine(const cuFloatComplex* __restrict__ coils, const float* __restrict__ noise,
                            float* __restrict__ image, int voxels, int channels)
{
  __shared__ float energy[THREADS];
  const int voxel = blockIdx.x * THREADS + threadIdx.x;

  energy[threadIdx.x] = 0.f;
  __syncthreads();
  for (int c = 0; c < channels; ++c) {
    if (voxel < voxels) {
      const cuFloatComplex s = coils[c * voxels + voxel];
      const float w = 1.f / noise[c];
      energy[threadIdx.x] += w * (s.x * s.x + s.y * s.y);
    }
    __syncthreads();
  }
  __syncthreads();
  if (voxel < voxels) image[voxel] = sqrtf(energy[threadIdx.x]);
}

void combine_coils(const cuFloatComplex* coils, const float* noise, float* image, int voxels, int channels,
                   cudaStream_t stream)
{
  const int threads = 256;
  rss_combine<threads><<<(voxels + threads - 1) / threads, threads, 0, stream>>>(coils, noise, image, voxels,
                                                                                channels);
}
