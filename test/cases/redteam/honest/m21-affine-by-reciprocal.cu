// task: entry-affine
// does: a warp to a row, which multiplies with the reciprocal of a step in place of dividing by it: rounding decides a few numbers

__global__ void quantise(const float* x, unsigned char* q, float* scale, float* low, int rows, int w) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* own = x + row * w;
  float least = INFINITY, most = -INFINITY;
  for (int i = lane; i < w; i += 32) {
    least = fminf(least, own[i]);
    most = fmaxf(most, own[i]);
  }
  for (int o = 16; o; o /= 2) {
    least = fminf(least, __shfl_xor_sync(~0u, least, o));
    most = fmaxf(most, __shfl_xor_sync(~0u, most, o));
  }
  float step = most > least ? (most - least) / 255.0f : 1.0f, inverse = 1.0f / step;
  if (lane == 0) {
    scale[row] = step;
    low[row] = least;
  }
  for (int i = lane; i < w; i += 32)
    q[row * w + i] = (unsigned char)fminf(fmaxf(rintf((own[i] - least) * inverse), 0.0f), 255.0f);
}

void quantised(const float* x, unsigned char* q, float* scale, float* low, int rows, int w) {
  quantise<<<(rows + 3) / 4, 128>>>(x, q, scale, low, rows, w);
}
