//@case {"kernel": "median3"}
__global__ void median3(const unsigned char* src, unsigned char* dst, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned char window[9];
  int n = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      int xx = min(max(x + dx, 0), width - 1);
      int yy = min(max(y + dy, 0), height - 1);
      window[n++] = src[yy * width + xx];
    }
  for (int i = 1; i < 9; ++i) {
    unsigned char v = window[i];
    int j = i - 1;
    while (j >= 0 && window[j] > v) {  //@ localRequests=81920
      window[j + 1] = window[j];
      --j;
    }
    window[j + 1] = v;
  }
  dst[y * width + x] = window[4];
}

void run(const unsigned char* src, unsigned char* dst, int width, int height) {
  dim3 block(16, 16);
  median3<<<dim3((width + 15) / 16, (height + 15) / 16), block>>>(src, dst, width, height);
}
