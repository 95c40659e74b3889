//@case {"kernel": "dots"}
#include <cstdint>
constexpr int WIDTH = 128;
__global__ void dots(const int8_t* a, const int8_t* b, std::int32_t* out, int n) {
  __shared__ std::int32_t part[WIDTH];
  std::int32_t sum = 0;
  for (int first = 0; first < n; first += WIDTH) {
    int k = first + threadIdx.x;
    part[threadIdx.x] = k < n ? a[blockIdx.x * n + k] * b[k] : 0;
    __syncthreads();
    for (int half = WIDTH / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];  //@ instructions=9000
      __syncthreads();  //@ barriers=4096 instructions=4096
    }
    if (threadIdx.x == 0) sum += part[0];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

void run(const int8_t* a, const int8_t* b, std::int32_t* out, int rows, int n) {
  dots<<<rows, 128>>>(a, b, out, n);
}
