// task: entry-medians
// does: a warp finds its row's median bit by bit from the top: a bit is set where not more numbers lie below than may

__device__ unsigned ordered(float v) {
  unsigned bits = __float_as_uint(v);
  return bits ^ (bits & 0x80000000u ? 0xffffffffu : 0x80000000u);
}

__global__ void medians(const float* x, float* m, int rows, int w) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows || w == 0) return;
  const float* own = x + row * w;
  int wanted = (w - 1) / 2;
  unsigned found = 0;
  for (unsigned bit = 0x80000000u; bit != 0; bit >>= 1) {
    unsigned tried = found | bit;
    int below = 0;
    for (int first = 0; first < w; first += 32) {
      int i = first + lane;
      below += __popc(__ballot_sync(~0u, i < w && ordered(own[i]) < tried));
    }
    if (below <= wanted) found = tried;
  }
  if (lane == 0) m[row] = __uint_as_float(found ^ (found & 0x80000000u ? 0x80000000u : 0xffffffffu));
}

void medians_of(const float* x, float* m, int rows, int w) { medians<<<(rows + 1) / 2, 64>>>(x, m, rows, w); }
