#include "launch.h"
#include <cuda_runtime.h>

static __device__ __forceinline__ float cnd(float d)
{
    return 0.5f * erfcf(-d * 0.70710678f);
}

__global__ void price_options(float *call, float *put, const float *spot, const float *strike, const float *years,
                              float rate, float vol, int count)
{
    const int opt = blockDim.x * blockIdx.x + threadIdx.x;
    if (opt >= count) return;
    const float S = spot[opt], X = strike[opt], T = years[opt];
    const float sqrtT = sqrtf(T);
    const float d1 = (logf(S / X) + (rate + 0.5f * vol * vol) * T) / (vol * sqrtT);
    const float d2 = d1 - vol * sqrtT;
    const float disc = expf(-rate * T);
    call[opt] = S * cnd(d1) - X * disc * cnd(d2);
    put[opt]  = X * disc * cnd(-d2) - S * cnd(-d1);
}

void black_scholes(float *call, float *put, const float *spot, const float *strike, const float *years,
                   float rate, float vol, int count)
{
    LAUNCH(price_options, count)(call, put, spot, strike, years, rate, vol, count);
}
