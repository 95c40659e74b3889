#include <cstdint>

template <class In, class Acc>
__global__ void igemm(int M, int N, int K, const In* lhs, const In* rhs, Acc* dst) {
  const unsigned x = blockIdx.x * 16 + threadIdx.x;
  const unsigned y = blockIdx.y * 16 + threadIdx.y;
  if (x < N && y < M) {
    Acc sum{};
    for (int p = 0; p < K; p++) {
      sum += static_cast<Acc>(lhs[y * K + p]) * static_cast<Acc>(rhs[p * N + x]);
    }
    dst[y * N + x] = sum;
  }
}

void gemm_s8(int M, int N, int K, const std::int8_t* lhs, const std::int8_t* rhs, std::int32_t* dst) {
  igemm<std::int8_t, std::int32_t><<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(M, N, K, lhs, rhs, dst);
}
