// interleaved RGB -> luminance
__global__ void to_luma(const float* rgb, float* gray, int pixels) {
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += gridDim.x * blockDim.x) {
    float r = rgb[3 * p + 0];
    float g = rgb[3 * p + 1];
    float b = rgb[3 * p + 2];
    gray[p] = 0.299f * r + 0.587f * g + 0.114f * b;
  }
}

void luma(const float* rgb, float* gray, int pixels) {
  int threads = 256;
  int blocks = (pixels + threads - 1) / threads;
  to_luma<<<blocks, threads>>>(rgb, gray, pixels);
}
