#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void jacobi(const float *u, float *v, int nx, int ny)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x + 2;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 2;
  if (i < nx - 2 && j < ny - 2) {
    float s = 0.0f;
    for (int d = -2; d <= 2; ++d) {
      s += u[j * nx + i + d];
      s += u[(j + d) * nx + i];
    }
    v[j * nx + i] = 0.1f * s;
  }
}

int main()
{
  const int nx = 256, ny = 192;
  size_t bytes = nx * ny * sizeof(float);
  float *h = (float *)malloc(bytes);
  for (int k = 0; k < nx * ny; ++k) h[k] = (float)(k % 17);
  float *u, *v;
  cudaMalloc(&u, bytes);
  cudaMalloc(&v, bytes);
  cudaMemcpy(u, h, bytes, cudaMemcpyHostToDevice);
  cudaMemset(v, 0, bytes);
  dim3 b(16, 16), g((nx + 15) / 16, (ny + 15) / 16);
  jacobi<<<g, b>>>(u, v, nx, ny);
  cudaMemcpy(h, v, bytes, cudaMemcpyDeviceToHost);
  printf("%f\n", h[5 * nx + 7]);
  cudaFree(u); cudaFree(v); free(h);
  return 0;
}
