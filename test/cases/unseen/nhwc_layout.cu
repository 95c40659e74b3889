// Element by element from planes to interleaved channels, with the position taken apart by run-time sizes.
template <typename T>
__global__ void toChannelsLast(T* dst, const T* src, int N, int C, int H, int W) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  if (out >= N * C * H * W) return;
  int c = out % C;
  int w = out / C % W;
  int h = out / (C * W) % H;
  int n = out / (C * W * H);
  dst[out] = src[((n * C + c) * H + h) * W + w];
}

void channels_last(float* dst, const float* src, int N, int C, int H, int W) {
  int total = N * C * H * W;
  toChannelsLast<float><<<(total + 255) / 256, 256>>>(dst, src, N, C, H, W);
}
