// Batched NNUE, squared clipped ReLU on the feature transformer's accumulators.
// acc is [position][color][hidden]; the network wants the side to move first.
#include <cstdint>

using i16 = int16_t;
using u8 = uint8_t;

enum Color : int { WHITE = 0, BLACK = 1 };

constexpr int QA = 255;
constexpr int BlockSize = 256;

static __device__ __forceinline__ u8 screlu(int v) {
  v = v < 0 ? 0 : v > QA ? QA : v;
  return u8((v * v) >> 8);
}

static __device__ __forceinline__ const i16* half_of(const i16* acc, int pos, Color c, int hidden) {
  return acc + (pos * 2 + int(c)) * hidden;
}

__global__ void nnue_activate(const i16* __restrict__ acc, const i16* __restrict__ bias, const u8* __restrict__ stm,
                              u8* __restrict__ out, int hidden, int positions) {
  const int n = blockIdx.x * BlockSize + threadIdx.x;
  const int pos = blockIdx.y;
  if (n >= hidden || pos >= positions) return;

  const Color us = stm[pos] ? BLACK : WHITE;
  u8* o = out + pos * 2 * hidden;
  o[n] = screlu(half_of(acc, pos, us, hidden)[n] + bias[n]);
  o[hidden + n] = screlu(half_of(acc, pos, Color(int(us) ^ 1), hidden)[n] + bias[n]);
}

void activate_batch(const i16* acc, const i16* bias, const u8* stm, u8* out, int hidden, int positions) {
  dim3 grid((hidden + BlockSize - 1) / BlockSize, positions);
  nnue_activate<<<grid, BlockSize>>>(acc, bias, stm, out, hidden, positions);
}
