// The summed-area table of a picture.
__global__ void along_rows(const unsigned char* x, int* s, int h, int w) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= h) return;
  int sum = 0;
  for (int c = 0; c < w; ++c) s[(size_t)r * w + c] = sum += x[(size_t)r * w + c];
}

__global__ void along_columns(int* s, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= w) return;
  for (int r = 1; r < h; ++r) s[(size_t)r * w + c] += s[(size_t)(r - 1) * w + c];
}

void areas(const unsigned char* x, int* s, int h, int w) {
  along_rows<<<(h + 31) / 32, 32>>>(x, s, h, w);
  along_columns<<<(w + 31) / 32, 32>>>(s, h, w);
}
