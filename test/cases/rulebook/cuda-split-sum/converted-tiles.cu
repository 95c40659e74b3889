//@case {"kernel": "cross", "spec": {"outputs": {"c": {"dtype": "float32", "shape": [64, 32]}}}}
#include <cuda_fp16.h>

__global__ void cross(const __half* left, const __half* right, float* c, int samples, int rows, int columns) {
  __shared__ float l[16][16];
  __shared__ float r[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i0 = blockIdx.y * 16, j0 = blockIdx.x * 16;
  float sum = 0.f;
  for (int s0 = 0; s0 < samples; s0 += 16) { //@ instructions=2000000
    const int s = s0 + ty;
    const bool present = s < samples;
    l[ty][tx] = present && i0 + tx < rows ? __half2float(left[s * rows + i0 + tx]) : 0.f;
    r[ty][tx] = present && j0 + tx < columns ? __half2float(right[s * columns + j0 + tx]) : 0.f;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += l[k][ty] * r[k][tx];
    __syncthreads();
  }
  const int i = i0 + ty, j = j0 + tx;
  if (i < rows && j < columns) c[i * columns + j] = sum / samples;
}

void run(const __half* left, const __half* right, float* c, int samples, int rows, int columns) {
  dim3 tile(16, 16);
  dim3 tiles((columns + 15) / 16, (rows + 15) / 16);
  cross<<<tiles, tile>>>(left, right, c, samples, rows, columns);
}
