// task: entry-sum
// does: adds to the total by comparing and swapping its bits until nobody came between

__device__ void add_to(float* total, float value) {
  unsigned* bits = reinterpret_cast<unsigned*>(total);
  unsigned seen = atomicAdd(bits, 0u);
  for (;;) {
    const unsigned found = atomicCAS(bits, seen, __float_as_uint(__uint_as_float(seen) + value));
    if (found == seen) return;
    seen = found;
  }
}

__global__ void partial(const float* x, float* total, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) add_to(total, sum);
}

void sum_of(const float* x, float* total, int n) {
  cudaMemset(total, 0, sizeof(float));
  partial<<<16, 256>>>(x, total, n);
}
