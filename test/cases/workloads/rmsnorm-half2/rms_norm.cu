#include <cuda_fp16.h>
#include <cassert>

static constexpr int kWarp = 32;

// x, weight, y: fp16, dim must be even. One warp handles one token.
__global__ void rmsNormHalf2Kernel(half* y, const half* x, const half* weight, int tokens, int dim, float eps) {
    const int warpsPerBlock = blockDim.x / kWarp;
    const int token = blockIdx.x * warpsPerBlock + threadIdx.x / kWarp;
    const int lane  = threadIdx.x % kWarp;
    if (token >= tokens) return;

    const half2* xv = reinterpret_cast<const half2*>(x + size_t(token) * dim);
    const half2* wv = reinterpret_cast<const half2*>(weight);
    half2*       yv = reinterpret_cast<half2*>(y + size_t(token) * dim);
    const int    n2 = dim >> 1;

    float ss = 0.f;
    for (int i = lane; i < n2; i += kWarp) {
        const float2 f = __half22float2(xv[i]);
        ss += f.x * f.x + f.y * f.y;
    }
#pragma unroll
    for (int m = kWarp / 2; m >= 1; m /= 2) ss += __shfl_xor_sync(~0u, ss, m);
    const float scale = rsqrtf(ss / dim + eps);

    for (int i = lane; i < n2; i += kWarp) {
        const float2 f = __half22float2(xv[i]);
        const float2 w = __half22float2(wv[i]);
        yv[i] = __floats2half2_rn(f.x * scale * w.x, f.y * scale * w.y);
    }
}

void rmsNorm(half* dOut, const half* dIn, const half* dWeight, int tokens, int dim, float eps, cudaStream_t s = 0) {
    assert(dim % 2 == 0);
    const int threads = 128;
    const int rowsPerBlock = threads / kWarp;
    rmsNormHalf2Kernel<<<(tokens + rowsPerBlock - 1) / rowsPerBlock, threads, 0, s>>>(dOut, dIn, dWeight, tokens, dim, eps);
}
