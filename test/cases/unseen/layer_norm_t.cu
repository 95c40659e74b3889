#include <cuda_runtime.h>

template <typename scalar_t>
__global__ void LayerNormForward(const scalar_t* __restrict__ X, const scalar_t* __restrict__ gamma,
                                 const scalar_t* __restrict__ beta, scalar_t* __restrict__ Y,
                                 int M, int D, float epsilon)
{
  const int row = threadIdx.x + blockDim.x * blockIdx.x;
  if (row >= M) return;

  scalar_t mean = 0, var = 0;
  for (int d = 0; d < D; ++d) mean += X[row * D + d];
  mean /= D;
  for (int d = 0; d < D; ++d) {
    scalar_t diff = X[row * D + d] - mean;
    var += diff * diff;
  }
  const scalar_t rstd = rsqrtf(var / D + epsilon);
  for (int d = 0; d < D; ++d)
    Y[row * D + d] = (X[row * D + d] - mean) * rstd * gamma[d] + beta[d];
}

void layer_norm(const float* x, const float* g, const float* b, float* y, int m, int d, float eps)
{
  LayerNormForward<float><<<(m + 63) / 64, 64>>>(x, g, b, y, m, d, eps);
}
