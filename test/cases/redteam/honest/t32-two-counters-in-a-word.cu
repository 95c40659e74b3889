// task: entry-t32-bright
// does: counts two bounds in the halves of a word within a lane, and adds the lanes up as whole numbers

__global__ void above(const float* __restrict__ x, const float* __restrict__ bounds, int* __restrict__ counts, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float a = bounds[0], b = bounds[1], c = bounds[2], d = bounds[3];
  unsigned two = 0, more = 0;
  for (int i = lane; i < columns; i += 32) {
    float value = x[(size_t)row * columns + i];
    two += (value > a) | (value > b) << 16;
    more += (value > c) | (value > d) << 16;
  }
  int found[4] = {int(two & 65535), int(two >> 16), int(more & 65535), int(more >> 16)};
  for (int k = 0; k < 4; ++k) found[k] = __reduce_add_sync(~0u, found[k]);
  if (lane < 4) counts[4 * row + lane] = found[lane];
}

void bright(const float* x, const float* bounds, int* counts, int rows, int columns) {
  above<<<(rows + 3) / 4, 128>>>(x, bounds, counts, rows, columns);
}
