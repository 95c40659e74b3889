//@case {"kernel": "dense", "outputs": {"y": {"dtype": "float16", "shape": [512, 1024]}}}
#include <cuda_fp16.h>
// Both factors are named before they are multiplied, the sum starts from a bias and is clamped at the end.
__global__ void dense(const __half* x, const __half* w, const float* bias, __half* y, int rows, int columns, int depth) {
  const int c = blockIdx.x * 16 + threadIdx.x;
  const int r = blockIdx.y * 16 + threadIdx.y;
  float sum = 0.0f;
  if (r < rows && c < columns) {
    for (int k = 0; k < depth; ++k) {
      const float left = __half2float(x[r * depth + k]); //@ instructions=9000
      const float right = __half2float(w[k * columns + c]); //@ instructions=9000
      sum = fmaf(left, right, sum); //@ instructions=9000
    }
    y[r * columns + c] = __float2half(fmaxf(sum + bias[c], 0.0f));
  }
}
void run(const __half* x, const __half* w, const float* bias, __half* y, int rows, int columns, int depth) {
  dense<<<dim3((columns + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(x, w, bias, y, rows, columns, depth);
}
