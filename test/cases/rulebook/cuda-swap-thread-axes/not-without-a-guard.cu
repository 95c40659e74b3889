//@case {"kernel": "brighten"}
__global__ void brighten(float* dst, const float* src, int width, float by) {
  int y = threadIdx.x + blockIdx.x * blockDim.x;
  int x = threadIdx.y + blockIdx.y * blockDim.y;
  dst[y * width + x] = src[y * width + x] * by;  //@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096 globalStoreSectors=32768 globalStoreSectorsIdeal=4096
}

void launch(float* dst, const float* src, int width, int height, float by) {
  brighten<<<dim3(height / 64, width / 4), dim3(64, 4)>>>(dst, src, width, by);
}
