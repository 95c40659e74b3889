//@case {"kernel": "tilt", "spec": {"run": {"kind": "launch", "launch": {"grid": ["ceil_div(cols, 32)", "ceil_div(lines * 2, 8)"], "block": [32, 8], "sharedBytes": "4 * lines", "arguments": ["pixels", {"value": "lines", "dtype": "int64"}, {"value": "cols", "dtype": "int32"}]}}, "origins": {"launch.grid": "probed", "launch.block": "guessed"}}}
#pragma once
#ifndef TILT_CUH
#define TILT_CUH
namespace image {
struct Pixel { float r, g; };
// The kernel tilt has a launch of nobody's.
__global__ void __launch_bounds__(256) tilt(Pixel* __restrict__ pixels, size_t height, const int width) {
  extern __shared__ float line[];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < width) pixels[x].r = line[0];
}
}  // namespace image
#endif
