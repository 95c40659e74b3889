//@case {"kernel": "modes"}
__global__ void modes(const unsigned char* image, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int counts[2][4];
  for (int k = 0; k < 8; ++k) counts[k / 4][k % 4] = 0;
  for (int d = 0; d < 9; ++d) ++counts[d % 2][image[y * width + x + d] % 4];  //@ localRequests=8192
  out[y * width + x] = counts[0][1] + counts[1][2];
}

void run(const unsigned char* image, unsigned char* out, int width, int height) {
  modes<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4)>>>(image, out, width, height);
}
