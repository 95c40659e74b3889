//@case {"kernel": "minimizers"}
#include <stdint.h>
constexpr int K = 11, W = 20;
__device__ uint32_t mix(uint32_t h) { h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; return h; }  //@ instructions=20000
__device__ uint32_t kmer_hash(const uint8_t* s) {
  uint32_t h = 0;
  for (int i = 0; i < K; i++) h = h * 5u + s[i];  //@ instructions=90000
  return mix(h);
}
__global__ void minimizers(const uint8_t* seq, uint32_t* out, int nw) {
  int p = threadIdx.x + blockIdx.x * blockDim.x;
  if (p >= nw) return;
  uint32_t best = 0xffffffffu;
  for (int w = 0; w < W; w++) best = min(best, kmer_hash(seq + p + w));  //@ instructions=9000
  out[p] = best;
}
void find_minimizers(const uint8_t* seq, uint32_t* out, int len) {
  int nw = len - K - W + 2;
  minimizers<<<(nw + 127) / 128, 128>>>(seq, out, nw);
}
