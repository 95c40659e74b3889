#include <stdint.h>
#include <cuda_runtime.h>

/* Speck64/128 in counter mode. The round keys are expanded on the host. */

#define ROUNDS 27
#define LANES  16   /* counters per block */

#define ROR32(x, r) (((x) >> (r)) | ((x) << (32 - (r))))
#define ROL32(x, r) (((x) << (r)) | ((x) >> (32 - (r))))

static __device__ __forceinline__ void arx(uint32_t &x, uint32_t &y, uint32_t k)
{
    x = (ROR32(x, 8) + y) ^ k;
    y = ROL32(y, 3) ^ x;
}

static __device__ __forceinline__ uint2 keystream(uint32_t hi, uint32_t lo, const uint32_t *rk)
{
    uint32_t x = hi, y = lo;
#pragma unroll
    for (int r = 0; r < ROUNDS; ++r)
        arx(x, y, rk[r]);
    return make_uint2(x, y);
}

__global__ void ctr_xor(const uint2 *__restrict__ in, uint2 *__restrict__ out,
                        const uint32_t *__restrict__ rk, uint32_t nonce, uint32_t first, uint32_t nblk)
{
    const uint32_t b = blockIdx.x * LANES + threadIdx.x;
    if (b >= nblk)
        return;
    const uint2 ks = keystream(nonce, first + b, rk);
    const uint2 m = in[b];
    out[b] = make_uint2(m.x ^ ks.x, m.y ^ ks.y);
}

void speck_ctr(const uint2 *in, uint2 *out, const uint32_t *rk, uint32_t nonce, uint32_t first, uint32_t nblk)
{
    ctr_xor<<<(nblk + LANES - 1) / LANES, LANES>>>(in, out, rk, nonce, first, nblk);
}
