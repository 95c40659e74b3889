// task: cuda-sort-rows
// does: a warp sorts a row in its registers by a bitonic network of shuffles, without a barrier; longer rows as before

__device__ bool before(float a, int ia, float b, int ib) {
  if (a < b || (a == a && b != b)) return true;
  return (a == b || (a != a && b != b)) && ia < ib;
}

// Unsigned numbers in the order of the floats; what is no number comes last.
__device__ unsigned key_of(float number) {
  unsigned bits = number == number ? __float_as_uint(number) : 0x7fffffffu;
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

__device__ float number_of(unsigned key) { return __uint_as_float(key >> 31 ? key & 0x7fffffffu : ~key); }

__global__ void sort_rows(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * columns;
  float* to = y + static_cast<size_t>(row) * columns;
  if (columns > 128) {
    for (int c = lane; c < columns; c += 32) {
      float value = from[c];
      int place = 0;
      for (int other = 0; other < columns; ++other) place += before(from[other], other, value, c);
      to[place] = value;
    }
    return;
  }

  // Element 32 r + lane lies in register r; what is missing counts as the greatest key and ends up behind.
  unsigned mine[4];
#pragma unroll
  for (int r = 0; r < 4; ++r) mine[r] = 32 * r + lane < columns ? key_of(from[32 * r + lane]) : ~0u;
#pragma unroll
  for (int run = 2; run <= 128; run *= 2)
#pragma unroll
    for (int apart = run / 2; apart > 0; apart /= 2)
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        bool rises = ((32 * r + lane) & run) == 0;
        if (apart < 32) {
          unsigned theirs = __shfl_xor_sync(~0u, mine[r], apart);
          bool first = (lane & apart) == 0;
          mine[r] = first == rises ? min(mine[r], theirs) : max(mine[r], theirs);
        } else if ((r & apart / 32) == 0) {
          unsigned low = min(mine[r], mine[r + apart / 32]), high = max(mine[r], mine[r + apart / 32]);
          mine[r] = rises ? low : high;
          mine[r + apart / 32] = rises ? high : low;
        }
      }
#pragma unroll
  for (int r = 0; r < 4; ++r)
    if (32 * r + lane < columns) to[32 * r + lane] = number_of(mine[r]);
}

void launch_sort_rows(const float* x, float* y, int rows, int columns) {
  sort_rows<<<(rows + 3) / 4, 128>>>(x, y, rows, columns);
}
