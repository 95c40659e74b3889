//@case {"kernel": "score"}
namespace mapping {
struct GridView {
  const float* cells;
  int width, height;
  __device__ bool contains(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
  __device__ int index(int x, int y) const { return y * this->width + x; }
  __device__ float at(int x, int y) const {
    return cells[index(x, y)];
  }
};
template <typename T>
struct Matrix2D {
  T* data;
  int rows, cols;
  __device__ T& operator()(int r, int c) const { return data[r * cols + c]; }
  __device__ const T& operator[](int i) const { return data[i]; }
};
__device__ inline const float* row_of(const float* base, int row, int width) { return base + row * width; }
__global__ void score(GridView grid, Matrix2D<float> out, Matrix2D<const float> bias, const float* extra, float scale) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (!grid.contains(x, y)) return;
  out(y, x) = grid.at(x + 1, y) * scale + bias[x];
  out(y, x) += mapping::row_of(extra, y, grid.width)[x];
}
}
