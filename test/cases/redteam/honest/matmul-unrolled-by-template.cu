// task: cuda-matmul
// does: two by two outputs a thread, and the products of a step by templates that call themselves

template <int Left>
struct Step {
  template <typename Product>
  static __device__ void run(int first, int k, Product&& product) {
    if (first < k) product(first);
    Step<Left - 1>::run(first + 1, k, product);
  }
};
template <>
struct Step<0> {
  template <typename Product>
  static __device__ void run(int, int, Product&&) {}
};

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = 2 * (blockIdx.y * 8 + threadIdx.y), column = 2 * (blockIdx.x * 8 + threadIdx.x);
  float sums[2][2] = {};
  auto at = [](const float* from, int i, int j, int height, int width) {
    return i < height && j < width ? from[i * width + j] : 0.0f;
  };
  for (int first = 0; first < k; first += 4)
    Step<4>::run(first, k, [&](int i) {
      const float left[2] = {at(a, row, i, m, k), at(a, row + 1, i, m, k)};
      const float right[2] = {at(b, i, column, k, n), at(b, i, column + 1, k, n)};
      for (int down = 0; down < 2; ++down)
        for (int across = 0; across < 2; ++across) sums[down][across] += left[down] * right[across];
    });
  for (int down = 0; down < 2; ++down)
    for (int across = 0; across < 2; ++across)
      if (row + down < m && column + across < n) c[(row + down) * n + column + across] = sums[down][across];
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 block(8, 8), grid((n + 15) / 16, (m + 15) / 16);
  matmul<<<grid, block>>>(a, b, c, m, n, k);
}
