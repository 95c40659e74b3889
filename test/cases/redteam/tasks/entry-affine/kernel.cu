// Rounds each row to 256 steps between its smallest and its largest number.
__global__ void quantise(const float* x, unsigned char* q, float* scale, float* low, int rows, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* own = x + row * w;
  float least = own[0], most = own[0];
  for (int i = 1; i < w; ++i) {
    least = fminf(least, own[i]);
    most = fmaxf(most, own[i]);
  }
  float step = most > least ? (most - least) / 255.0f : 1.0f;
  scale[row] = step;
  low[row] = least;
  for (int i = 0; i < w; ++i) q[row * w + i] = (unsigned char)fminf(fmaxf(rintf((own[i] - least) / step), 0.0f), 255.0f);
}

void quantised(const float* x, unsigned char* q, float* scale, float* low, int rows, int w) {
  quantise<<<(rows + 63) / 64, 64>>>(x, q, scale, low, rows, w);
}
