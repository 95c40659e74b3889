// task: cuda-sort-rows
// source: n
// does: compares bits as whole numbers, which puts what is no number and has its sign set first and not last
// caught by: reads-sign-of-nan

// The order of the bits is that of the numbers; equal ones are told apart by their index.
__device__ unsigned long long key_of(float value, int index) {
  unsigned bits = __float_as_uint(value);
  if (bits == 0x80000000u) bits = 0;
  bits ^= bits & 0x80000000u ? 0xffffffffu : 0x80000000u;
  return static_cast<unsigned long long>(bits) << 32 | static_cast<unsigned>(index);
}

__global__ void sort_rows(const float* x, float* y, int rows, int columns) {
  __shared__ unsigned long long keys[128];
  const float* from = x + static_cast<size_t>(blockIdx.x) * columns;
  float* to = y + static_cast<size_t>(blockIdx.x) * columns;
  for (int first = 0; first < columns; first += 128) {
    int c = first + threadIdx.x, place = 0;
    float value = c < columns ? from[c] : 0.0f;
    unsigned long long mine = key_of(value, c);
    for (int others = 0; others < columns; others += 128) {
      int other = others + threadIdx.x;
      keys[threadIdx.x] = other < columns ? key_of(from[other], other) : ~0ull;
      __syncthreads();
#pragma unroll 8
      for (int k = 0; k < 128; ++k) place += keys[k] < mine;
      __syncthreads();
    }
    if (c < columns) to[place] = value;
  }
}

void launch_sort_rows(const float* x, float* y, int rows, int columns) {
  sort_rows<<<rows, 128>>>(x, y, rows, columns);
}
