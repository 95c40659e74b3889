#include <cuda_runtime.h>

// Splits a square matrix: its symmetric or antisymmetric part, tile by tile.

template <int Edge, int Rows>
struct TileShape {
  static constexpr int edge = Edge;
  static constexpr int rows = Rows;
  static constexpr int steps = Edge / Rows;
};

template <class Shape>
struct Tile {
  float cells[Shape::edge][Shape::edge];

  __device__ float& operator()(int r, int c) { return cells[r][c]; }

  __device__ void load(const float* m, int n, int row0, int col0) {
    const int col = col0 + threadIdx.x;
#pragma unroll
    for (int s = 0; s < Shape::steps; ++s) {
      const int r = threadIdx.y + s * Shape::rows;
      if (row0 + r < n && col < n) cells[r][threadIdx.x] = m[(row0 + r) * n + col];
    }
  }
};

struct Symmetric {
  __device__ float operator()(float a, float at) const { return 0.5f * (a + at); }
};
struct Antisymmetric {
  __device__ float operator()(float a, float at) const { return 0.5f * (a - at); }
};

template <class Shape, class Part>
__global__ void matrix_part(const float* __restrict__ m, float* __restrict__ out, int n, Part part) {
  __shared__ Tile<Shape> mirror;
  const int row0 = blockIdx.y * Shape::edge;
  const int col0 = blockIdx.x * Shape::edge;

  mirror.load(m, n, col0, row0);
  __syncthreads();

  const int col = col0 + threadIdx.x;
#pragma unroll
  for (int s = 0; s < Shape::steps; ++s) {
    const int r = threadIdx.y + s * Shape::rows;
    const int row = row0 + r;
    if (row < n && col < n) out[row * n + col] = part(m[row * n + col], mirror(threadIdx.x, r));
  }
}

void antisymmetric_part(const float* m, float* out, int n) {
  using Shape = TileShape<32, 8>;
  const int tiles = (n + Shape::edge - 1) / Shape::edge;
  matrix_part<Shape><<<dim3(tiles, tiles), dim3(Shape::edge, Shape::rows)>>>(m, out, n, Antisymmetric{});
}
