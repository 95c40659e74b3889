#include <ATen/cuda/detail/IndexUtils.cuh>
#include <ATen/cuda/detail/TensorInfo.cuh>
#include <torch/extension.h>

using at::cuda::detail::IndexToOffset;
using at::cuda::detail::TensorInfo;

template <typename scalar_t>
__global__ void pick_rows(
    const scalar_t* __restrict__ table, const TensorInfo<int64_t, int> places, scalar_t* __restrict__ picked,
    int width, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count * width) return;
  const int at = IndexToOffset<int64_t, int, -1>::get(i / width, places);
  picked[i] = table[places.data[at] * width + i % width];
}

torch::Tensor pick(torch::Tensor table, torch::Tensor places) {
  auto picked = torch::empty({places.numel(), table.size(1)}, table.options());
  const int count = places.numel(), width = table.size(1);
  auto info = at::cuda::detail::getTensorInfo<int64_t, int>(places);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(table.scalar_type(), "pick", [&] {
    pick_rows<scalar_t><<<(count * width + 255) / 256, 256>>>(
        table.data_ptr<scalar_t>(), info, picked.data_ptr<scalar_t>(), width, count);
  });
  return picked;
}
