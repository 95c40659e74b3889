// task: cuda-softmax
// does: four columns a load where rows are aligned, with a tail

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const float* row = x + blockIdx.x * columns;
  float* result = y + blockIdx.x * columns;
  int quads = columns % 4 == 0 ? columns / 4 : 0;
  float top = -INFINITY, sum = 0.0f;
  for (int q = threadIdx.x; q < quads; q += 32) {
    float4 v = reinterpret_cast<const float4*>(row)[q];
    top = fmaxf(top, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
  }
  for (int c = 4 * quads + threadIdx.x; c < columns; c += 32) top = fmaxf(top, row[c]);
  for (int step = 16; step > 0; step /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, step));
  for (int c = threadIdx.x; c < columns; c += 32) sum += expf(row[c] - top);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  for (int c = threadIdx.x; c < columns; c += 32) result[c] = expf(row[c] - top) / sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<rows, 32>>>(x, y, rows, columns); }
