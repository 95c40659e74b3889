// Brightness of each pixel by a curve of 256 points in constant memory.
#include <cuda_runtime.h>

__constant__ float curve[256];

__global__ void toneCurve(const unsigned char* pixels, float* bright, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bright[i] = curve[pixels[i]];
}

void developed(const float* points, const unsigned char* pixels, float* bright, int n)
{
  cudaMemcpyToSymbol(curve, points, 256 * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  toneCurve<<<(n + 255) / 256, 256>>>(pixels, bright, n);
}
