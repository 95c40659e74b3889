#include <cuda_bf16.h>

constexpr int TILE = 32;
constexpr int STRIP = 8;

__global__ void transpose_strips(__nv_bfloat16* odata, const __nv_bfloat16* idata, int width, int height) {
  const int xIndex = blockIdx.x * TILE + threadIdx.x;
  const int yIndex = blockIdx.y * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += STRIP) {
    if (xIndex < width && yIndex + i < height) {
      odata[xIndex * height + (yIndex + i)] = idata[xIndex + width * (yIndex + i)];
    }
  }
}

void transpose_bf16(__nv_bfloat16* odata, const __nv_bfloat16* idata, int width, int height) {
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE), block(TILE, STRIP);
  transpose_strips<<<grid, block>>>(odata, idata, width, height);
}
