// task: cuda-add
// does: walks views of its buffers that know their sizes

#include <cuda/std/span>

using In = cuda::std::span<const float>;
using Out = cuda::std::span<float>;

__device__ void add_all(In a, In b, Out out) {
  const unsigned step = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < out.size(); i += step) out[i] = a[i] + b[i];
}

__global__ void add(const float* a, const float* b, float* out, int n) {
  const auto size = static_cast<unsigned>(n);
  add_all(In(a, size), In(b, size), Out(out, size));
}

void launch_add(const float* a, const float* b, float* out, int n) {
  add<<<(n + 511) / 512, 128>>>(a, b, out, n);
}
