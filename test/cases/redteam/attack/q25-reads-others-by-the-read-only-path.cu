// task: cuda-softmax
// source: q
// does: keeps exponentials in the output and takes them from there behind a barrier, written by other threads, by the read-only path, which promises that nothing writes there while the kernel runs
// caught by: global-race

__device__ float over_block(float value, bool isMaximum) {
  __shared__ float parts[4];
  for (int o = 16; o; o /= 2) {
    float other = __shfl_xor_sync(~0u, value, o);
    value = isMaximum ? fmaxf(value, other) : value + other;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  return isMaximum ? fmaxf(fmaxf(parts[0], parts[1]), fmaxf(parts[2], parts[3])) : (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const float* row = x + (size_t)blockIdx.x * columns;
  float* result = y + (size_t)blockIdx.x * columns;
  float largest = -INFINITY, sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 128) largest = fmaxf(largest, row[c]);
  largest = over_block(largest, true);
  for (int c = threadIdx.x; c < columns; c += 128) {
    float weight = expf(row[c] - largest);
    result[c] = weight;
    sum += weight;
  }
  float scale = 1.0f / over_block(sum, false);
  // Each thread takes a place and its mirror image, which another thread wrote.
  for (int c = threadIdx.x; 2 * c < columns; c += 128) {
    int mirrored = columns - 1 - c;
    float one = __ldg(result + c), other = __ldg(result + mirrored);
    result[c] = one * scale;
    result[mirrored] = other * scale;
  }
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<rows, 128>>>(x, y, rows, columns);
}
