//@case {"kernel": "brighten"}
__global__ void brighten(float* dst, const float* src, int width, int height, float by) {
  int y = threadIdx.x + blockIdx.x * blockDim.x;
  int x = threadIdx.y + blockIdx.y * blockDim.y;
  if (x < width && y < height) {
    int place = y * width + x;
    dst[place] = src[place] * by;  //@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096 globalStoreSectors=32768 globalStoreSectorsIdeal=4096
  }
}

void launch(float* dst, const float* src, int width, int height, float by) {
  dim3 block(64, 4, 1);
  dim3 grid((height + 63) / 64, (width + 3) / 4, 1);
  brighten<<<grid, block>>>(dst, src, width, height, by);
}
