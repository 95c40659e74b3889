// task: cuda-mean
// does: four sums a thread

__global__ void mean(const float* x, float* y, int rows, int columns) {
  int row = threadIdx.x + blockDim.x * blockIdx.x;
  if (row < rows) {
    const float* values = x + row * columns;
    float4 sums = make_float4(0, 0, 0, 0);
    int c = 0;
    for (; c + 4 <= columns; c += 4) {
      sums.x += values[c];
      sums.y += values[c + 1];
      sums.z += values[c + 2];
      sums.w += values[c + 3];
    }
    while (c < columns) sums.x += values[c++];
    y[row] = ((sums.x + sums.y) + (sums.z + sums.w)) / (float)columns;
  }
}

void launch_mean(const float* x, float* y, int rows, int columns) {
  mean<<<(rows + 31) / 32, 32>>>(x, y, rows, columns);
}
