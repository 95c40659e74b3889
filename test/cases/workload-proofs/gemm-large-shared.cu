#include "proof.h"
#include "gemm_kslab.cu"
int main() {
  for (int K : {50, 448}) { int M = 70, N = 45; auto a = floats(M * K), b = floats(K * N); std::vector<float> w(M * N); float* c = room<float>(M * N);
    gemm_small_k(dev(a), dev(b), c, M, N, K);
    for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) { double s = 0; for (int k = 0; k < K; k++) s += a[i * K + k] * b[k * N + j]; w[i * N + j] = s; }
    same("c", host(c, M * N), w); }
}
