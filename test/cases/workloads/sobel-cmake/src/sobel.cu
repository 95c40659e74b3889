#include "sobel/sobel.hpp"
#include "device_buffer.h"

namespace sobel {
namespace {

constexpr int TX = 16, TY = 16;

__global__ void sobel_kernel(std::uint8_t* __restrict__ dst, const std::uint8_t* __restrict__ src, int w, int h)
{
  __shared__ int t[TY + 2][TX + 2];
  const int x0 = blockIdx.x * TX - 1, y0 = blockIdx.y * TY - 1;
  for (int i = threadIdx.y * TX + threadIdx.x; i < (TX + 2) * (TY + 2); i += TX * TY) {
    const int x = min(max(x0 + i % (TX + 2), 0), w - 1);
    const int y = min(max(y0 + i / (TX + 2), 0), h - 1);
    t[i / (TX + 2)][i % (TX + 2)] = src[y * w + x];
  }
  __syncthreads();

  const int x = blockIdx.x * TX + threadIdx.x, y = blockIdx.y * TY + threadIdx.y;
  if (x >= w || y >= h) return;
  const int i = threadIdx.y, j = threadIdx.x;
  const int gx = t[i][j + 2] + 2 * t[i + 1][j + 2] + t[i + 2][j + 2] - t[i][j] - 2 * t[i + 1][j] - t[i + 2][j];
  const int gy = t[i + 2][j] + 2 * t[i + 2][j + 1] + t[i + 2][j + 2] - t[i][j] - 2 * t[i][j + 1] - t[i][j + 2];
  dst[y * w + x] = min(255, abs(gx) + abs(gy));
}

}  // namespace

Image edges(const Image& src)
{
  DeviceBuffer<std::uint8_t> in(src.px), out(src.px.size());
  dim3 grid((src.width + TX - 1) / TX, (src.height + TY - 1) / TY), block(TX, TY);
  sobel_kernel<<<grid, block>>>(out.get(), in.get(), src.width, src.height);
  return {src.width, src.height, out.read()};
}

}  // namespace sobel
