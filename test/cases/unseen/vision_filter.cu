#include <cuda_runtime.h>

template <typename T> struct Clamp;
template <> struct Clamp<float> {
  static __device__ float to(float v) { return v < 0.f ? 0.f : (v > 1.f ? 1.f : v); }
};

// Vertical box filter with radius R; rows outside of the image repeat the border row.
template <int R, typename T>
__global__ void boxVertical(const T* in, T* out, int w, int h, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  T acc = T(0);
#pragma unroll
  for (int d = -R; d <= R; ++d) {
    int yy = y + d;
    yy = yy < 0 ? 0 : yy;
    yy = yy >= h ? h - 1 : yy;
    acc += in[yy * pitch + x];
  }
  out[y * pitch + x] = Clamp<T>::to(acc * (T(1) / T(2 * R + 1)));
}

void box(const float* in, float* out, int w, int h, int pitch) {
  const dim3 b(32, 8);
  boxVertical<4, float><<<dim3((w + b.x - 1) / b.x, (h + b.y - 1) / b.y), b>>>(in, out, w, h, pitch);
}
