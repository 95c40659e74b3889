//@case {"kernel": "to_last"}
__global__ void to_last(float* dst, const float* src, int N, int C, int H, int W) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  if (out >= N * C * H * W) return;
  int n = out / (C * W * H);
  int c = out % C;
  int w = out / C % W;
  int h = (out / (W * C)) % H;  //@ instructions=9000
  dst[out] = src[((n * C + c) * H + h) * W + w];
}

void run(float* dst, const float* src, int N, int C, int H, int W) {
  to_last<<<(N * C * H * W + 255) / 256, 256>>>(dst, src, N, C, H, W);
}
