#include <cuda_runtime.h>
__global__ void bmm_kernel(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ o, int M, int N, int K) {
    const int bz = blockIdx.z;
    const int r = blockIdx.y * 16 + threadIdx.y;
    const int c = blockIdx.x * 16 + threadIdx.x;
    if (r >= M || c >= N) return;
    x += bz * M * K;
    w += bz * K * N;
    float v = 0.f;
    for (int k = 0; k < K; ++k) v += x[r * K + k] * w[k * N + c];
    o[bz * M * N + r * N + c] = v;
}
void bmm(const float* x, const float* w, float* o, int B, int M, int N, int K) {
    bmm_kernel<<<dim3((N + 15) / 16, (M + 15) / 16, B), dim3(16, 16)>>>(x, w, o, M, N, K);
}
