#include <cuda_fp16.h>

struct Dims {
  int rows, cols;
};

__global__ void flipAxes(const __half* __restrict__ in, __half* __restrict__ out, Dims d) {
  const int c = threadIdx.x + blockIdx.x * blockDim.x;
  for (int r = threadIdx.y + blockIdx.y * blockDim.y; r < d.rows; r += gridDim.y * blockDim.y) {
    if (c < d.cols) out[c * d.rows + r] = in[r * d.cols + c];
  }
}

void flip(const __half* in, __half* out, int rows, int cols) {
  Dims d{rows, cols};
  dim3 tb(32, 8);
  dim3 gb((cols + 31) / 32, (rows + 7) / 8);
  flipAxes<<<gb, tb>>>(in, out, d);
}
