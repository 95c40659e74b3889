#include <cuda_runtime.h>

namespace imaging {

static inline int divUp(int a, int b) { return (a % b != 0) ? (a / b + 1) : (a / b); }

template <typename T, int K>
__global__ void filter2d(const T* src, const T* weights, T* dst, int rows, int cols) {
  int col = threadIdx.x + blockIdx.x * blockDim.x;
  int row = threadIdx.y + blockIdx.y * blockDim.y;
  if (row < rows && col < cols) {
    T acc = T(0);
#pragma unroll
    for (int i = 0; i < K; ++i) {
#pragma unroll
      for (int j = 0; j < K; ++j) {
        int y = row + i - K / 2;
        int x = col + j - K / 2;
        if (y >= 0 && y < rows && x >= 0 && x < cols) acc += src[y * cols + x] * weights[i * K + j];
      }
    }
    dst[row * cols + col] = acc;
  }
}

}  // namespace imaging

void run_filter(const float* src, const float* weights, float* dst, int rows, int cols) {
  const dim3 threads(16, 16);
  const dim3 blocks(imaging::divUp(cols, threads.x), imaging::divUp(rows, threads.y));
  imaging::filter2d<float, 5><<<blocks, threads>>>(src, weights, dst, rows, cols);
}
