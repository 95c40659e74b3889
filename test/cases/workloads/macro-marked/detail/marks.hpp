#pragma once
#define AUDIO_KERNEL static __global__ void
#define AUDIO_INLINE __device__ __forceinline__
