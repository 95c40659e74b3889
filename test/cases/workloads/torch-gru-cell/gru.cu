#include <torch/extension.h>

// x_gates and h_gates are [batch, 3, hidden]: reset, update, new
template <typename scalar_t>
__global__ void gru_cell(const torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> x_gates,
                         const torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> h_gates,
                         const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> h,
                         torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> next) {
  const int unit = threadIdx.x + blockDim.x * blockIdx.x;
  const int row = blockIdx.y;
  if (unit >= h.size(1)) return;
  const scalar_t reset = 1 / (1 + exp(-x_gates[row][0][unit] - h_gates[row][0][unit]));
  const scalar_t update = 1 / (1 + exp(-x_gates[row][1][unit] - h_gates[row][1][unit]));
  const scalar_t fresh = tanh(x_gates[row][2][unit] + reset * h_gates[row][2][unit]);
  next[row][unit] = fresh + update * (h[row][unit] - fresh);
}

torch::Tensor gru_step(torch::Tensor x_gates, torch::Tensor h_gates, torch::Tensor h) {
  auto next = torch::empty_like(h);
  const auto hidden = h.size(1);
  const dim3 grid((hidden + 255) / 256, h.size(0));
  AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "gru_step", ([&] {
    gru_cell<scalar_t><<<grid, 256>>>(
        x_gates.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>(),
        h_gates.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>(),
        h.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
        next.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>());
  }));
  return next;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("gru_step", &gru_step); }
