#include "edges.cuh"

namespace frames {

__global__ void paint_edges(unsigned char* picture, int columns, int rows, int planes, int rim, Edge edge) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= columns || row >= rows) return;
  bool inside = column >= rim && column < columns - rim && row >= rim && row < rows - rim;
  if (inside) return;
  for (int plane = 0; plane < planes; ++plane) {
    int at = (row * columns + column) * planes + plane;
    if (edge == Edge::BLACK) picture[at] = 0;
    if (edge == Edge::NEAREST) {
      int near_column = min(max(column, rim), columns - rim - 1);
      int near_row = min(max(row, rim), rows - rim - 1);
      picture[at] = picture[(near_row * columns + near_column) * planes + plane];
    }
  }
}

}  // namespace frames
