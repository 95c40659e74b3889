#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
template <typename T>
__global__ void group_rms_kernel(const T* __restrict__ x, const T* __restrict__ w, T* __restrict__ o, int64_t n, int64_t d, int64_t g, float eps) {
  const int64_t per = d / g;
  const int64_t row = blockIdx.x, grp = blockIdx.y;
  const T* p = x + row * d + grp * per;
  __shared__ float red[32];
  float s = 0.f;
  for (int64_t i = threadIdx.x; i < per; i += blockDim.x) { float v = static_cast<float>(p[i]); s += v * v; }
  for (int m = 16; m; m >>= 1) s += __shfl_xor_sync(0xffffffffu, s, m);
  if ((threadIdx.x & 31) == 0) red[threadIdx.x >> 5] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = threadIdx.x < blockDim.x / 32 ? red[threadIdx.x] : 0.f;
    for (int m = 16; m; m >>= 1) s += __shfl_xor_sync(0xffffffffu, s, m);
    if (threadIdx.x == 0) red[0] = rsqrtf(s / per + eps);
  }
  __syncthreads();
  const float r = red[0];
  for (int64_t i = threadIdx.x; i < per; i += blockDim.x)
    o[row * d + grp * per + i] = static_cast<T>(static_cast<float>(p[i]) * r * static_cast<float>(w[grp * per + i]));
}
torch::Tensor group_rms(torch::Tensor x, torch::Tensor w, int64_t groups, double eps) {
  TORCH_CHECK(x.is_cuda() && x.is_contiguous(), "x must be contiguous on the GPU");
  TORCH_CHECK(x.dim() == 2, "expected two dimensions");
  const auto n = x.size(0), d = x.size(1);
  TORCH_CHECK(d % groups == 0, "features must be divisible by groups");
  TORCH_CHECK(w.numel() == d);
  auto o = torch::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "group_rms", [&] {
    group_rms_kernel<scalar_t><<<dim3(n, groups), 128, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), w.data_ptr<scalar_t>(), o.data_ptr<scalar_t>(), n, d, groups, static_cast<float>(eps));
  });
  return o;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("group_rms", &group_rms); }
