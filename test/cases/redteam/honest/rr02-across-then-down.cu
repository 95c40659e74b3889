// task: cuda-rr02-contrast
// does: a tile with its rim in shared memory, summed across and then down; the sums are whole numbers, zeros stand outside of the picture, and all threads load before any leaves

__global__ void contrast(const unsigned char* image, short* out, int width, int height, int pitch) {
  __shared__ unsigned char tile[12][36];
  __shared__ unsigned short across[12][32];
  int u = threadIdx.x, v = threadIdx.y;
  int left = blockIdx.x * 32 - 2, top = blockIdx.y * 8 - 2;
  for (int k = v * 32 + u; k < 12 * 36; k += 256) {
    int row = k / 36, column = k % 36;
    int x = left + column, y = top + row;
    bool inside = x >= 0 && x < width && y >= 0 && y < height;
    tile[row][column] = inside ? image[y * pitch + x] : 0;
  }
  __syncthreads();
  for (int row = v; row < 12; row += 8)
    across[row][u] = tile[row][u] + tile[row][u + 1] + tile[row][u + 2] + tile[row][u + 3] + tile[row][u + 4];
  __syncthreads();
  int x = left + 2 + u, y = top + 2 + v;
  if (x >= width || y >= height) return;
  int sum = across[v][u] + across[v + 1][u] + across[v + 2][u] + across[v + 3][u] + across[v + 4][u];
  int count = (min(x + 2, width - 1) - max(x - 2, 0) + 1) * (min(y + 2, height - 1) - max(y - 2, 0) + 1);
  out[y * width + x] = (short)((tile[v + 2][u + 2] * count - sum) / count);
}

void launch_contrast(const unsigned char* image, short* out, int width, int height, int pitch) {
  contrast<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(image, out, width, height, pitch);
}
