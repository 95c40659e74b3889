// task: cuda-rr02-contrast
// source: rr
// caught by: wrong values
// does: threads below the picture leave their part of the tile as the tile before left it, instead of zeroing it; shows in the last two rows where the height is no multiple of 8

__device__ int pixel(const unsigned char* image, int x, int y, int width, int height, int pitch) {
  return x < 0 || x >= width || y < 0 || y >= height ? 0 : image[y * pitch + x];
}

__global__ void contrast(const unsigned char* image, short* out, int width, int height, int pitch) {
  __shared__ int tile[12][36];
  int u = threadIdx.x, v = threadIdx.y;
  int x = blockIdx.x * 32 + u;
  for (int top = blockIdx.y * 8; top < height; top += gridDim.y * 8) {
    int y = top + v;
    __syncthreads();
    if (y < height) {
      for (int part = 0; part < 3; ++part) {
        int row = v + 2 * part;  // above, within and below
        if (part == 0 && v >= 2) continue;
        if (part == 2 && v < 6) continue;
        int from = top + row - 2;
        tile[row][u + 2] = pixel(image, x, from, width, height, pitch);
        if (u < 2) tile[row][u] = pixel(image, x - 2, from, width, height, pitch);
        if (u >= 30) tile[row][u + 4] = pixel(image, x + 2, from, width, height, pitch);
      }
    }
    __syncthreads();
    if (x < width && y < height) {
      int sum = 0;
      for (int row = v; row < v + 5; ++row)
        sum += tile[row][u] + tile[row][u + 1] + tile[row][u + 2] + tile[row][u + 3] + tile[row][u + 4];
      int count = (min(x + 2, width - 1) - max(x - 2, 0) + 1) * (min(y + 2, height - 1) - max(y - 2, 0) + 1);
      out[y * width + x] = (short)((tile[v + 2][u + 2] * count - sum) / count);
    }
  }
}

void launch_contrast(const unsigned char* image, short* out, int width, int height, int pitch) {
  contrast<<<dim3((width + 31) / 32, 3), dim3(32, 8)>>>(image, out, width, height, pitch);
}
