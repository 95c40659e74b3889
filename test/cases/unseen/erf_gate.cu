#include <cuda_bf16.h>
#include <cmath>

template <typename T> __device__ inline float to_float(T v) { return static_cast<float>(v); }

template <typename T>
__device__ inline T gelu(T v)
{
    auto x = to_float(v);
    auto cdf = 0.5 * (1.0 + erf(x / std::sqrt(2.0)));
    return static_cast<T>(static_cast<float>(x * cdf));
}

template <typename T>
__global__ void gated(const T* __restrict__ gate, const T* __restrict__ up, T* __restrict__ out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = __hmul(gelu(gate[i]), up[i]);
}

void erf_gate(const __nv_bfloat16* gate, const __nv_bfloat16* up, __nv_bfloat16* out, int n)
{
    gated<<<432, 256>>>(gate, up, out, n);
}
