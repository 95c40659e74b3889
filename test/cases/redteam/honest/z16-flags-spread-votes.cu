// task: cuda-flags
// does: four votes of a warp, of which each lane spreads four bits over the bytes of a word by a multiplication

#include <cstdint>

__global__ void positive(const float* x, bool* y, int n) {
  int lane = threadIdx.x & 31;
  int first = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 128;
  unsigned votes[4];
#pragma unroll
  for (int part = 0; part < 4; ++part) {
    int i = first + part * 32 + lane;
    votes[part] = __ballot_sync(~0u, i < n && x[i] > 0.0f);
  }
  // Lane l holds the flags 4 l to 4 l + 3, which lie in vote l / 8 at bit 4 (l mod 8).
  unsigned vote = lane < 16 ? (lane < 8 ? votes[0] : votes[1]) : (lane < 24 ? votes[2] : votes[3]);
  unsigned bits = vote >> (4 * (lane & 7)) & 15u;
  unsigned bytes = bits * 0x00204081u & 0x01010101u;
  int at = first + 4 * lane;
  if (at + 3 < n && reinterpret_cast<uintptr_t>(y + at) % 4 == 0) {
    *reinterpret_cast<unsigned*>(y + at) = bytes;
  } else {
    for (int k = 0; k < 4 && at + k < n; ++k) y[at + k] = bytes >> (8 * k) & 1u;
  }
}

void launch_positive(const float* x, bool* y, int n) { positive<<<(n + 255) / 256, 64>>>(x, y, n); }
