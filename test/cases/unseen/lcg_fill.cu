#include <stdint.h>
// A linear congruential generator per lane, modulo a prime that the caller picks.
__global__ void lcg_fill(uint64_t seed, uint64_t mul, uint64_t prime, int rounds, uint32_t* out, uint64_t n) {
  for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (uint64_t)gridDim.x * blockDim.x) {
    uint64_t s = seed + out[i];
    for (int r = 0; r < rounds; ++r) s = (s * mul + 12345u) % prime;
    out[i] = (uint32_t)s;
  }
}
void lcgFill(uint64_t seed, uint64_t mul, uint64_t prime, int rounds, uint32_t* out, uint64_t n) { lcg_fill<<<216, 256>>>(seed, mul, prime, rounds, out, n); }
