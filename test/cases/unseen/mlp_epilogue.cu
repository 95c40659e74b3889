// Epilogue of the feed-forward block: y = dropout-free residual + gelu(x + b). Forward only, fp32.
#include <cuda_runtime.h>
#include <cstdint>

#define CUDA_KERNEL_LOOP(i, n) \
  for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

constexpr int kThreads = 512;
inline int getBlocks(int64_t n) {
  const int64_t want = (n + kThreads - 1) / kThreads;
  return static_cast<int>(want < 4096 ? want : 4096);
}

template <typename scalar_t>
__global__ void add_bias_kernel(const int64_t n, const int dim, const scalar_t* __restrict__ x,
                                const scalar_t* __restrict__ bias, scalar_t* __restrict__ pre) {
  CUDA_KERNEL_LOOP(index, n) {
    pre[index] = x[index] + bias[index % dim];
  }
}

template <typename scalar_t>
__global__ void gelu_kernel(const int64_t n, const scalar_t* __restrict__ pre, scalar_t* __restrict__ act) {
  CUDA_KERNEL_LOOP(index, n) {
    const scalar_t v = pre[index];
    act[index] = v * scalar_t(0.5) * (scalar_t(1) + erff(v * scalar_t(0.70710678)));
  }
}

template <typename scalar_t>
__global__ void residual_kernel(const int64_t n, const scalar_t* __restrict__ act,
                                const scalar_t* __restrict__ skip, const scalar_t scale,
                                scalar_t* __restrict__ y) {
  CUDA_KERNEL_LOOP(index, n) {
    y[index] = skip[index] + scale * act[index];
  }
}

// x, skip, y: (tokens, dim); workspace: two buffers of tokens * dim
void mlp_epilogue_forward(const float* x, const float* bias, const float* skip, float scale, float* y,
                          float* workspace_pre, float* workspace_act, int tokens, int dim,
                          cudaStream_t stream) {
  const int64_t n = static_cast<int64_t>(tokens) * dim;
  add_bias_kernel<float><<<getBlocks(n), kThreads, 0, stream>>>(n, dim, x, bias, workspace_pre);
  gelu_kernel<float><<<getBlocks(n), kThreads, 0, stream>>>(n, workspace_pre, workspace_act);
  residual_kernel<float><<<getBlocks(n), kThreads, 0, stream>>>(n, workspace_act, skip, scale, y);
}
