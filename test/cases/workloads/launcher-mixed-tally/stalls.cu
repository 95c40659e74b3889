#include <cuda_runtime.h>
#include <stdint.h>

typedef unsigned long long u64;

// Takings of a market, by kind of stall.
typedef struct stall_s {
    u64 cents;
    uint32_t sales;
    uint32_t dearest;
} stall_t;

enum { KINDS = 16 };

__global__ void takings(const uint8_t *kind, const uint16_t *price, stall_t *stall, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        stall_t *s = stall + (kind[i] % KINDS);
        atomicAdd(&s->cents, (u64)price[i]);
        atomicAdd(&s->sales, 1u);
        atomicMax(&s->dearest, (uint32_t)price[i]);
    }
}

extern "C" int count_takings(const uint8_t *kind, const uint16_t *price, stall_t *stall, int n)
{
    if (cudaMemset(stall, 0, KINDS * sizeof(stall_t)) != cudaSuccess) return -1;
    takings<<<(n + 511) / 512, 256>>>(kind, price, stall, n);
    return cudaGetLastError() == cudaSuccess ? 0 : -1;
}
