// task: cuda-softmax
// does: finds the maximum by redux on ordered integers

__device__ unsigned key(float v) {
  unsigned u = __float_as_uint(v);
  return u & 0x80000000u ? ~u : u | 0x80000000u;
}
__device__ float back(unsigned u) { return __uint_as_float(u & 0x80000000u ? u & 0x7fffffffu : ~u); }
__global__ void __launch_bounds__(32, 16) softmax(const float* x, float* y, int rows, int columns) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* in = x + row * columns;
    unsigned k = 0;
    for (int c = threadIdx.x; c < columns; c += 32) k = max(k, key(in[c]));
    float largest = back(__reduce_max_sync(0xffffffffu, k));
    double sum = 0;
    for (int c = threadIdx.x; c < columns; c += 32) sum += (double)expf(in[c] - largest);
    for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, o);
    float scale = (float)(1.0 / __shfl_sync(0xffffffffu, sum, 0));
    for (int c = threadIdx.x; c < columns; c += 32) y[row * columns + c] = expf(in[c] - largest) * scale;
  }
}
void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<min(rows, 512), 32>>>(x, y, rows, columns);
}
