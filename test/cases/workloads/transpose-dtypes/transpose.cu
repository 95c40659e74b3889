#include <cstdint>
#include <cuda_runtime.h>

enum class DType { U8, F32, F64 };

template <typename T, int Tile = 32, int Rows = 8>
__global__ void transposeKernel(T *__restrict__ dst, const T *__restrict__ src, int h, int w)
{
  __shared__ T tile[Tile][Tile + 1];

  int x = blockIdx.x * Tile + threadIdx.x;
  int y = blockIdx.y * Tile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < Tile; j += Rows)
    if (x < w && y + j < h)
      tile[threadIdx.y + j][threadIdx.x] = src[(y + j) * w + x];

  __syncthreads();

  x = blockIdx.y * Tile + threadIdx.x;
  y = blockIdx.x * Tile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < Tile; j += Rows)
    if (x < h && y + j < w)
      dst[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

template <typename T>
static void run(void *dst, const void *src, int h, int w, cudaStream_t st)
{
  dim3 block(32, 8), grid((w + 31) / 32, (h + 31) / 32);
  transposeKernel<T><<<grid, block, 0, st>>>(static_cast<T *>(dst), static_cast<const T *>(src), h, w);
}

cudaError_t transpose(void *dst, const void *src, int h, int w, DType type, cudaStream_t st)
{
  switch (type) {
    case DType::U8:  run<uint8_t>(dst, src, h, w, st); break;
    case DType::F32: run<float>(dst, src, h, w, st); break;
    case DType::F64: run<double>(dst, src, h, w, st); break;
  }
  return cudaPeekAtLastError();
}
