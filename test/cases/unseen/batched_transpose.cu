namespace {
template <typename T>
__global__ void transpose_batch(const T* __restrict__ x, T* __restrict__ y, int H, int W) {
  const int h = blockIdx.y * blockDim.y + threadIdx.y;
  const int w = blockIdx.x * blockDim.x + threadIdx.x;
  const T* xb = x + static_cast<size_t>(blockIdx.z) * H * W;
  T* yb = y + static_cast<size_t>(blockIdx.z) * H * W;
  if (h < H && w < W) yb[w * H + h] = xb[h * W + w];
}
inline unsigned ceil_div(unsigned a, unsigned b) { return (a + b - 1) / b; }
}  // namespace

void transpose_images(const float* x, float* y, int B, int H, int W) {
  dim3 block(32, 8);
  dim3 grid(ceil_div(W, 32), ceil_div(H, 8), B);
  transpose_batch<float><<<grid, block>>>(x, y, H, W);
}
