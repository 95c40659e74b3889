//@case {"kernel": "conv"}
__global__ void conv(const float* in, const float* k, float* out, int h, int w, int kh, int kw) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w - kw + 1 || y >= h - kh + 1) return;
  float sum = 0.0f;
  for (int m = 0; m < kh; ++m) {
    const int from = (y + m) * w;
    for (int n = 0; n < kw; ++n) sum += in[from + x + n] * k[m * kw + n]; //@ globalLoadSectors=900 loadedAgain=800
  }
  out[y * (w - kw + 1) + x] = sum;
}
void run(const float* in, const float* k, float* out, int h, int w, int kh, int kw) {
  conv<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(in, k, out, h, w, kh, kw);
}
