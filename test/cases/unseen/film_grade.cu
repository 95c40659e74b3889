#include <cuda_fp16.h>
#include <cuda_runtime.h>

// Grade of a half-float frame (planar R, G, B): exposure and white balance, then the film curve.

namespace grade
{
    struct Look
    {
        float exposure;   // stops
        float warmth;     // shifts red against blue
        float toe;
        float shoulder;
    };

    // One block row per plane.
    __global__ void Expose(const __half2* frame, float2* linear, Look look, int pairs)
    {
        const int p = blockIdx.x * blockDim.x + threadIdx.x;
        if (p >= pairs) return;

        const int plane = blockIdx.y;
        const float balance = 1.0f + look.warmth * (1 - plane);
        const float gain = exp2f(look.exposure) * balance;

        const float2 v = __half22float2(frame[plane * pairs + p]);
        linear[plane * pairs + p] = make_float2(v.x * gain, v.y * gain);
    }

    __device__ inline float Curve(float v, const Look& look)
    {
        v = fmaxf(v, 0.0f);
        return v * (v + look.toe) / (v * (v + look.shoulder) + look.toe);
    }

    __global__ void Develop(const float2* linear, __half2* print, Look look, int pairs)
    {
        const int p = blockIdx.x * blockDim.x + threadIdx.x;
        if (p >= pairs) return;

        const int at = blockIdx.y * pairs + p;
        const float2 v = linear[at];
        print[at] = __floats2half2_rn(Curve(v.x, look), Curve(v.y, look));
    }
}

// `pairs` is half the number of pixels of a plane.
bool DevelopFrame(const __half2* frame, __half2* print, float exposure, float warmth, int pairs)
{
    const grade::Look look{exposure, warmth, 0.12f, 0.75f};

    float2* linear = nullptr;
    if (cudaMalloc(&linear, sizeof(float2) * 3 * pairs) != cudaSuccess)
        return false;

    const dim3 block(256);
    const dim3 grid((pairs + block.x - 1) / block.x, 3);
    grade::Expose<<<grid, block>>>(frame, linear, look, pairs);
    grade::Develop<<<grid, block>>>(linear, print, look, pairs);

    const bool done = cudaDeviceSynchronize() == cudaSuccess;
    cudaFree(linear);
    return done;
}
