// task: cuda-softmax
// source: z
// does: asks for as much shared memory as a row needs and uses eight more numbers behind it
// caught by: out-of-bounds

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  extern __shared__ float kept[];
  float* warps = kept + columns;
  const float* row = x + blockIdx.x * columns;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  float largest = -INFINITY;
  for (int c = threadIdx.x; c < columns; c += 256) {
    float value = row[c];
    kept[c] = value;
    largest = fmaxf(largest, value);
  }
  for (int o = 16; o; o /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, o));
  if (lane == 0) warps[warp] = largest;
  __syncthreads();
  largest = warps[0];
  for (int w = 1; w < 8; ++w) largest = fmaxf(largest, warps[w]);
  __syncthreads();
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 256) {
    float power = expf(kept[c] - largest);
    kept[c] = power;
    sum += power;
  }
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (lane == 0) warps[warp] = sum;
  __syncthreads();
  sum = 0.0f;
  for (int w = 0; w < 8; ++w) sum += warps[w];
  float factor = 1.0f / sum;
  for (int c = threadIdx.x; c < columns; c += 256) y[blockIdx.x * columns + c] = kept[c] * factor;
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<rows, 256, columns * sizeof(float)>>>(x, y, rows, columns);
}
