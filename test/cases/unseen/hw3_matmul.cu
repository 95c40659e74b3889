// CS 4xx, homework 3: tiled matrix multiplication with shared memory.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define TILE_WIDTH 32

#define CUDA_CHECK(call)                                                              \
  do {                                                                                \
    cudaError_t err = (call);                                                         \
    if (err != cudaSuccess) {                                                         \
      printf("error %s at line %d\n", cudaGetErrorString(err), __LINE__);             \
      exit(1);                                                                        \
    }                                                                                 \
  } while (0)

__global__ void MatrixMulTiled(float* A, float* B, float* C, int Width)
{
  __shared__ float subTileA[TILE_WIDTH][TILE_WIDTH];
  __shared__ float subTileB[TILE_WIDTH][TILE_WIDTH];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int Row = blockIdx.y * TILE_WIDTH + ty;
  int Col = blockIdx.x * TILE_WIDTH + tx;

  float Pvalue = 0;
  for (int m = 0; m < (Width + TILE_WIDTH - 1) / TILE_WIDTH; ++m) {
    // A as it is, B turned so that both are read along a row
    if (Row < Width && m * TILE_WIDTH + tx < Width)
      subTileA[ty][tx] = A[Row * Width + m * TILE_WIDTH + tx];
    else
      subTileA[ty][tx] = 0;
    if (Col < Width && m * TILE_WIDTH + ty < Width)
      subTileB[tx][ty] = B[(m * TILE_WIDTH + ty) * Width + Col];
    else
      subTileB[tx][ty] = 0;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k)
      Pvalue += subTileA[ty][k] * subTileB[tx][k];
    __syncthreads();
  }
  if (Row < Width && Col < Width)
    C[Row * Width + Col] = Pvalue;
}

int main()
{
  const int Width = 300;
  size_t bytes = Width * Width * sizeof(float);
  float *hA = (float*)malloc(bytes), *hB = (float*)malloc(bytes), *hC = (float*)malloc(bytes);
  for (int i = 0; i < Width * Width; i++) {
    hA[i] = (rand() % 100) / 50.0f - 1.0f;
    hB[i] = (rand() % 100) / 50.0f - 1.0f;
  }

  float *dA, *dB, *dC;
  CUDA_CHECK(cudaMalloc(&dA, bytes));
  CUDA_CHECK(cudaMalloc(&dB, bytes));
  CUDA_CHECK(cudaMalloc(&dC, bytes));
  CUDA_CHECK(cudaMemcpy(dA, hA, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(dB, hB, bytes, cudaMemcpyHostToDevice));

  dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
  dim3 dimGrid((Width + TILE_WIDTH - 1) / TILE_WIDTH, (Width + TILE_WIDTH - 1) / TILE_WIDTH);
  MatrixMulTiled<<<dimGrid, dimBlock>>>(dA, dB, dC, Width);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(hC, dC, bytes, cudaMemcpyDeviceToHost));

  // spot check
  for (int t = 0; t < 10; t++) {
    int r = rand() % Width, c = rand() % Width;
    float want = 0;
    for (int k = 0; k < Width; k++) want += hA[r * Width + k] * hB[k * Width + c];
    if (fabs(want - hC[r * Width + c]) > 1e-3) {
      printf("FAIL at (%d, %d)\n", r, c);
      return 1;
    }
  }
  printf("Test PASSED\n");
  return 0;
}
