#include <torch/extension.h>
#include <c10/cuda/CUDAStream.h>

template <typename scalar_t>
__global__ void swish_kernel(const scalar_t* __restrict__ x, scalar_t* __restrict__ y, int64_t n, float beta) {
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) {
    const float v = static_cast<float>(x[i]);
    y[i] = static_cast<scalar_t>(v / (1.0f + expf(-beta * v)));
  }
}

torch::Tensor swish_forward_cuda(torch::Tensor x, double beta) {
  auto y = torch::empty_like(x);
  const int64_t n = x.numel();
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "swish_forward_cuda", ([&] {
    swish_kernel<scalar_t><<<blocks, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), n, (float)beta);
  }));
  return y;
}
