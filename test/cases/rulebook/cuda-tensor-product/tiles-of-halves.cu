//@case {"kernel": "mm", "spec": {"outputs": {"c": {"dtype": "float16", "shape": [512, 512]}}}}
#include <cuda_fp16.h>
constexpr int T = 16;
__global__ void mm(const half* a, const half* b, half* c, int m, int n, int k) {
  __shared__ half as[T][T];
  __shared__ half bs[T][T];
  const half nothing = __float2half(0.0f);
  int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
  float sum = 0.0f;
  for (int first = 0; first < k; first += T) {
    as[threadIdx.y][threadIdx.x] = (row < m && first + threadIdx.x < k) ? a[row * k + first + threadIdx.x] : nothing; //@ globalLoadRequests=4096 instructions=20000
    bs[threadIdx.y][threadIdx.x] = (column < n && first + threadIdx.y < k) ? b[(first + threadIdx.y) * n + column] : nothing; //@ globalLoadRequests=4096 instructions=20000
    __syncthreads();
    for (int p = 0; p < T; ++p) sum += __half2float(as[threadIdx.y][p]) * __half2float(bs[p][threadIdx.x]); //@ instructions=90000
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = __float2half(sum);
}
void run(const half* a, const half* b, half* c, int m, int n, int k) {
  mm<<<dim3((n + T - 1) / T, (m + T - 1) / T), dim3(T, T)>>>(a, b, c, m, n, k);
}
