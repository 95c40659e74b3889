// How far each pixel lies above the mean of the 5 x 5 pixels around it, cut toward zero; what is outside of the picture
// does not count. The rows of the picture lie `pitch` bytes apart, those of the result are dense.
__global__ void contrast(const unsigned char* image, short* out, int width, int height, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0, count = 0;
  for (int v = y - 2; v <= y + 2; ++v) {
    for (int u = x - 2; u <= x + 2; ++u) {
      if (u < 0 || u >= width || v < 0 || v >= height) continue;
      sum += image[v * pitch + u];
      ++count;
    }
  }
  out[y * width + x] = (short)((image[y * pitch + x] * count - sum) / count);
}

void launch_contrast(const unsigned char* image, short* out, int width, int height, int pitch) {
  contrast<<<dim3((width + 7) / 8, (height + 7) / 8), dim3(8, 8)>>>(image, out, width, height, pitch);
}
