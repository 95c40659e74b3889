#include <torch/extension.h>
#include <limits>

using Points = torch::PackedTensorAccessor32<float, 3, torch::RestrictPtrTraits>;

// nearest point of `b` for each point of `a`; both are [batch, points, 3]
__global__ void chamfer_kernel(const Points a, const Points b, torch::PackedTensorAccessor32<float, 2> dist,
                               torch::PackedTensorAccessor32<int, 2> idx) {
  const int n = blockIdx.y;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a.size(1)) return;
  float best = std::numeric_limits<float>::max();
  int who = 0;
  for (int j = 0; j < b.size(1); ++j) {
    float d = 0;
    for (int c = 0; c < 3; ++c) {
      const float e = a[n][i][c] - b[n][j][c];
      d += e * e;
    }
    if (d < best) { best = d; who = j; }
  }
  dist[n][i] = best;
  idx[n][i] = who;
}

std::vector<torch::Tensor> chamfer(torch::Tensor a, torch::Tensor b) {
  auto dist = torch::zeros({a.size(0), a.size(1)}, a.options());
  auto idx = torch::zeros({a.size(0), a.size(1)}, a.options().dtype(torch::kInt32));
  const int threads = 128;
  const dim3 blocks((a.size(1) + threads - 1) / threads, a.size(0));
  chamfer_kernel<<<blocks, threads>>>(
      a.packed_accessor32<float, 3, torch::RestrictPtrTraits>(), b.packed_accessor32<float, 3, torch::RestrictPtrTraits>(),
      dist.packed_accessor32<float, 2>(), idx.packed_accessor32<int, 2>());
  return {dist, idx};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("chamfer", &chamfer); }
