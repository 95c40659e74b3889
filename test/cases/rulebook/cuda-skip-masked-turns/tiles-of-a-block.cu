//@case {"kernel": "tiled_past"}
#define ROWS 32
#define COLUMNS 16
#define DEPTH 16
__global__ void tiled_past(const float* q, const float* k, const float* v, float* o, int length) {
  __shared__ float keys[COLUMNS][DEPTH];
  __shared__ float values[COLUMNS][DEPTH];
  const int row = blockIdx.x * ROWS + threadIdx.x;
  float mine[DEPTH], sum[DEPTH];
  for (int d = 0; d < DEPTH; ++d) {
    mine[d] = row < length ? q[row * DEPTH + d] : 0.0f;
    sum[d] = 0.0f;
  }
  float most = -1e30f, total = 0.0f;
  for (int tile = 0; tile < (length + COLUMNS - 1) / COLUMNS; ++tile) {  //@ instructions=9000
    for (int e = threadIdx.x; e < COLUMNS * DEPTH; e += ROWS) {
      const int from = tile * COLUMNS + e / DEPTH;
      keys[e / DEPTH][e % DEPTH] = from < length ? k[from * DEPTH + e % DEPTH] : 0.0f;
      values[e / DEPTH][e % DEPTH] = from < length ? v[from * DEPTH + e % DEPTH] : 0.0f;
    }
    __syncthreads();
    float scores[COLUMNS];
    float top = most;
    for (int j = 0; j < COLUMNS; ++j) {
      float s = 0.0f;
      for (int d = 0; d < DEPTH; ++d) s += mine[d] * keys[j][d];
      scores[j] = (tile * COLUMNS + j <= row && tile * COLUMNS + j < length) ? s : -1e30f;
      top = fmaxf(top, scores[j]);
    }
    const float fade = __expf(most - top);
    total *= fade;
    for (int d = 0; d < DEPTH; ++d) sum[d] *= fade;
    for (int j = 0; j < COLUMNS; ++j) {
      const float weight = __expf(scores[j] - top);
      total += weight;
      for (int d = 0; d < DEPTH; ++d) sum[d] += weight * values[j][d];
    }
    most = top;
    __syncthreads();
  }
  if (row < length)
    for (int d = 0; d < DEPTH; ++d) o[row * DEPTH + d] = sum[d] / total;
}
