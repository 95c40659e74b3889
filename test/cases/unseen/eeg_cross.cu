// Brain-computer interface: cross-covariance of two electrode arrays over one long recording.
// left: [samples][left_channels], right: [samples][right_channels], cross: [left_channels][right_channels]
#include <cuda_bf16.h>

using bf16 = __nv_bfloat16;
#define PATCH 16

__global__ void CrossCovariance(const bf16* __restrict__ left, const bf16* __restrict__ right,
                                float* __restrict__ cross, int samples, int leftChannels, int rightChannels)
{
    __shared__ float l[PATCH][PATCH];
    __shared__ float r[PATCH][PATCH + 1];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i0 = blockIdx.y * PATCH, j0 = blockIdx.x * PATCH;
    float covariance = 0.f;

    for (int s0 = 0; s0 < samples; s0 += PATCH) {
        const int s = s0 + ty;
        const bool present = s < samples;
        l[ty][tx] = present && i0 + tx < leftChannels ? __bfloat162float(left[s * leftChannels + i0 + tx]) : 0.f;
        r[ty][tx] = present && j0 + tx < rightChannels ? __bfloat162float(right[s * rightChannels + j0 + tx]) : 0.f;
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < PATCH; ++k)
            covariance = __fmaf_rn(l[k][ty], r[k][tx], covariance);
        __syncthreads();
    }

    const int i = i0 + ty, j = j0 + tx;
    if (i < leftChannels && j < rightChannels)
        cross[i * rightChannels + j] = covariance / samples;
}

void crossCovariance(const bf16* left, const bf16* right, float* cross, int samples, int leftChannels,
                     int rightChannels)
{
    dim3 tile(PATCH, PATCH);
    dim3 tiles((rightChannels + PATCH - 1) / PATCH, (leftChannels + PATCH - 1) / PATCH);
    CrossCovariance<<<tiles, tile>>>(left, right, cross, samples, leftChannels, rightChannels);
}
