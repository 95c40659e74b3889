//@case {"kernel": "soften"}
#include <torch/extension.h>

template <typename T>
__global__ void shift(const T* __restrict__ values, T* __restrict__ moved, float by, int count) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < count) moved[at] = static_cast<T>(static_cast<float>(values[at]) + by);  //@ globalStoreRequests=600 globalStoreSectors=9000
}

template <typename T>
__global__ void soften(const T* __restrict__ x, T* __restrict__ y, int count) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= count) return;
  y[at] = static_cast<T>(log1pf(expf(static_cast<float>(x[at]))));  //@ globalLoadRequests=600 globalLoadSectors=9000
}

torch::Tensor shifted_softplus(const torch::Tensor& values, double by) {
  auto moved = torch::empty_like(values);
  auto result = torch::empty_like(values);
  const int count = values.numel();
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(values.scalar_type(), "shifted_softplus", [&] {
    shift<scalar_t><<<(count + 255) / 256, 256>>>(
        values.data_ptr<scalar_t>(), moved.data_ptr<scalar_t>(), static_cast<float>(by), count);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    soften<scalar_t><<<(count + 255) / 256, 256>>>(
        moved.data_ptr<scalar_t>(), result.data_ptr<scalar_t>(), count);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
  return result;
}
