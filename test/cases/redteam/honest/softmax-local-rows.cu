// task: cuda-softmax
// does: keeps exponentials in a ring of local memory and sums in a volatile array of shared memory

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  __shared__ volatile float part[4];
  float mine[32];
  const float* row = x + (long long)blockIdx.x * columns;
  float most = -INFINITY, sum = 0.0f;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int c = threadIdx.x; c < columns; c += 128) most = fmaxf(most, row[c]);
  most = fmaxf(most, __shfl_xor_sync(~0u, most, 16));
  most = fmaxf(most, __shfl_xor_sync(~0u, most, 8));
  most = fmaxf(most, __shfl_xor_sync(~0u, most, 4));
  most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
  most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
  if (lane == 0) part[warp] = most;
  __syncthreads();
  most = fmaxf(fmaxf(part[0], part[1]), fmaxf(part[2], part[3]));
  __syncthreads();
  int kept = 0;
  for (int c = threadIdx.x; c < columns; c += 128, ++kept) {
    float e = __expf(row[c] - most);
    if (kept < 32) mine[kept] = e;
    sum += e;
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (lane == 0) part[warp] = sum;
  __syncthreads();
  float scale = 1.0f / (part[0] + part[1] + part[2] + part[3]);
  kept = 0;
  for (int c = threadIdx.x; c < columns; c += 128, ++kept)
    y[(long long)blockIdx.x * columns + c] = (kept < 32 ? mine[kept] : __expf(row[c] - most)) * scale;
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<rows, 128>>>(x, y, rows, columns); }
