// 64 × 64 outputs a block, 8 × 4 a thread… registers on top of shared tiles.
__global__ void gemm64(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K) {
  __shared__ float4 as[16][17];
  __shared__ float4 bs[16][16];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += 16) {
    {
      const int r = threadIdx.x / 4, k = (threadIdx.x % 4) * 4;
      const float4 v = *reinterpret_cast<const float4*>(A + (row0 + r) * K + k0 + k);
      float* t = reinterpret_cast<float*>(as);
      t[(k + 0) * 68 + r] = v.x; t[(k + 1) * 68 + r] = v.y; t[(k + 2) * 68 + r] = v.z; t[(k + 3) * 68 + r] = v.w;
      bs[threadIdx.x / 16][threadIdx.x % 16] = *reinterpret_cast<const float4*>(B + (k0 + threadIdx.x / 16) * N + col0 + (threadIdx.x % 16) * 4);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const float4 a = as[k][ty], b = bs[k][tx];
      const float u[4] = {a.x, a.y, a.z, a.w}, w[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) acc[i][j] += u[i] * w[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    *reinterpret_cast<float4*>(C + (row0 + ty * 4 + i) * N + col0 + tx * 4) = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}
