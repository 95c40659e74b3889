//@case {"kernel": "planes_of"}
#include <cuda_fp16.h>
__global__ void planes_of(const __half* pixels, __half* planes, int count, int channels) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < count) {
    for (int c = 0; c < channels; c++) {
      planes[c * count + p] = pixels[p * channels + c];  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=512 globalStoreSectors=512 globalStoreSectorsIdeal=512
    }
  }
}

void run(const __half* pixels, __half* planes, int count, int channels) {
  planes_of<<<(count + 127) / 128, 128>>>(pixels, planes, count, channels);
}
