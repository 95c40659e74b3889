// Spread of each row, of which nobody says how it is launched.
__global__ void row_spread(const float* values, float* spread, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float least = values[row * columns], most = least;
    for (int c = 1; c < columns; ++c) {
      least = fminf(least, values[row * columns + c]);
      most = fmaxf(most, values[row * columns + c]);
    }
    spread[row] = most - least;
  }
}
