//@case {"kernel": "scale_maps"}
__global__ void scale_maps(float* x, int batch, int height, int width) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < batch * height * width; i += gridDim.x * blockDim.x) {
    const int h = i % height;
    const int w = (i / height) % width;
    const int b = i / (height * width);
    x[(b * height + h) * width + w] *= 2.0f;  //@ globalLoadSectors=32768 globalLoadSectorsIdeal=4096 globalStoreSectors=32768 globalStoreSectorsIdeal=4096
  }
}
