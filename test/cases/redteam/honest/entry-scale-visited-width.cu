// task: entry-scale
// does: a variant of vector widths that a visitor launches, with fold expressions in the kernel

#include <cstdint>
#include <utility>
#include <variant>

template <int kWidth>
struct Width {
  static constexpr int value = kWidth;
};
using AnyWidth = std::variant<Width<1>, Width<2>, Width<4>>;

template <int kWidth, std::size_t... kPlace>
__device__ void scaleRun(const float* x, float* y, float factor, std::index_sequence<kPlace...>) {
  ((y[kPlace] = x[kPlace] * factor), ...);
}

template <int kWidth>
__global__ void scale(const float* __restrict__ x, float* __restrict__ y, int n, float factor) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * kWidth;
  if (first + kWidth <= n) {
    scaleRun<kWidth>(x + first, y + first, factor, std::make_index_sequence<kWidth>{});
    return;
  }
  for (int i = first; i < n; ++i) y[i] = x[i] * factor;
}

static AnyWidth widthFor(int n) {
  if (n % 4 == 0) return Width<4>{};
  if (n % 2 == 0) return Width<2>{};
  return Width<1>{};
}

void scaled(const float* x, float* y, int n) {
  std::visit(
      [=](auto width) {
        constexpr int kWidth = decltype(width)::value;
        const int threads = (n + kWidth - 1) / kWidth;
        scale<kWidth><<<(threads + 255) / 256, 256>>>(x, y, n, 2.5f);
      },
      widthFor(n));
}
