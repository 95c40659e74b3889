//@case {"kernel": "interleave"}
// Planes of floats become pixels: each thread copies the channels of its pixel.
__global__ void interleave(const float* planes, float* pixels, int channels, int height, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  for (int c = 0; c < channels; ++c)
    pixels[(y * width + x) * channels + c] = 0.5f * planes[c * height * width + y * width + x];  //@ globalLoadSectors=1024 globalLoadSectorsIdeal=1024 globalStoreSectors=8192 globalStoreSectorsIdeal=1024
}

void run(const float* planes, float* pixels, int channels, int height, int width) {
  dim3 block(32, 4), grid((width + 31) / 32, (height + 3) / 4);
  interleave<<<grid, block>>>(planes, pixels, channels, height, width);
}
