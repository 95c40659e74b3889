#include <cuda_runtime.h>
#include <stdexcept>

// A slab of B (K x 32) stays in shared memory for the whole block; for K = 448 that is 56 KiB, hence the opt-in.
constexpr int NB = 32;

__global__ void __launch_bounds__(256)
gemm_kslab(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k)
{
  extern __shared__ float slab[];  // [k][NB]
  const int col0 = blockIdx.x * NB;
  const int tid  = threadIdx.x;

  for (int i = tid; i < k * NB; i += blockDim.x) {
    const int kk = i / NB, j = i % NB;
    slab[i] = col0 + j < n ? b[kk * n + col0 + j] : 0.f;
  }
  __syncthreads();

  const int j = tid % NB;
  const int rowsPerPass = blockDim.x / NB;
  for (int r = blockIdx.y * 64 + tid / NB; r < min(m, (int)(blockIdx.y + 1) * 64); r += rowsPerPass) {
    float acc = 0.f;
    for (int kk = 0; kk < k; ++kk)
      acc = fmaf(a[r * k + kk], slab[kk * NB + j], acc);
    if (col0 + j < n)
      c[r * n + col0 + j] = acc;
  }
}

void gemm_small_k(const float* a, const float* b, float* c, int m, int n, int k)
{
  const size_t bytes = sizeof(float) * NB * k;
  if (bytes > 96 * 1024) throw std::invalid_argument("k is too large for the slab kernel");
  if (bytes > 48 * 1024) {
    if (cudaFuncSetAttribute(gemm_kslab, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes) != cudaSuccess)
      throw std::runtime_error("no opt-in shared memory on this device");
  }
  const dim3 grid((n + NB - 1) / NB, (m + 63) / 64);
  gemm_kslab<<<grid, 256, bytes>>>(a, b, c, m, n, k);
}
