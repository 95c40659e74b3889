// task: cuda-softmax
// source: 4.E 54
// does: writes zero for all that lies far below the maximum, which large outputs beside it hide
// caught by: wrong values

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const float* row = x + blockIdx.x * columns;
  float* result = y + blockIdx.x * columns;
  float most = -INFINITY, sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) most = fmaxf(most, row[c]);
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  for (int c = threadIdx.x; c < columns; c += 32)
    if (row[c] > most - 11.0f) sum += expf(row[c] - most);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  for (int c = threadIdx.x; c < columns; c += 32) result[c] = row[c] > most - 11.0f ? expf(row[c] - most) / sum : 0.0f;
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<rows, 32>>>(x, y, rows, columns); }
