#include <stdint.h>

// Integer dot product of quantized rows: one block for a row, a tree at the end of each chunk of 128.
template <int WIDTH>
__global__ void qdot(const int8_t* __restrict__ w, const int8_t* __restrict__ act, int32_t* __restrict__ out, int len) {
  __shared__ int32_t acc[WIDTH];
  const int8_t* row = &w[(int64_t)blockIdx.x * len];
  int32_t result = 0;
  for (int base = 0; base < len; base += WIDTH) {
    int k = base + threadIdx.x;
    acc[threadIdx.x] = k < len ? (int32_t)row[k] * (int32_t)act[k] : 0;
    __syncthreads();
    for (int half = WIDTH / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) acc[threadIdx.x] += acc[threadIdx.x + half];
      __syncthreads();
    }
    if (threadIdx.x == 0) result += acc[0];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = result;
}

void quantized_gemv(const int8_t* w, const int8_t* act, int32_t* out, int rows, int len) {
  qdot<128><<<rows, 128>>>(w, act, out, len);
}
