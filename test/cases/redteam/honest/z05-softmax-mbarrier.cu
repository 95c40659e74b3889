// task: cuda-softmax
// does: the first lanes of warps meet at barrier objects in shared memory, arrived at and waited for in inline assembly

constexpr int kWarps = 4;

__device__ unsigned long long arrive(unsigned at) {
  unsigned long long state;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
  return state;
}

__device__ void wait_for(unsigned at, unsigned long long state) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.test_wait.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n"
      "}\n" ::"r"(at), "l"(state)
      : "memory");
}

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  __shared__ alignas(8) unsigned long long barriers[2];
  __shared__ float maxima[kWarps], sums[kWarps];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned first = (unsigned)__cvta_generic_to_shared(barriers), second = first + 8;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(first), "r"(kWarps) : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(second), "r"(kWarps) : "memory");
  }
  __syncthreads();

  const float* row = x + (size_t)blockIdx.x * columns;
  float* result = y + (size_t)blockIdx.x * columns;
  float most = -INFINITY;
  for (int c = threadIdx.x; c < columns; c += 32 * kWarps) most = fmaxf(most, row[c]);
  for (int o = 16; o; o /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, o));
  unsigned long long state = 0;
  if (lane == 0) {
    maxima[warp] = most;
    state = arrive(first);
    wait_for(first, state);
  }
  __syncwarp();
  for (int w = 0; w < kWarps; ++w) most = fmaxf(most, maxima[w]);

  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32 * kWarps) {
    float power = expf(row[c] - most);
    result[c] = power;
    sum += power;
  }
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (lane == 0) {
    sums[warp] = sum;
    state = arrive(second);
    wait_for(second, state);
  }
  __syncwarp();
  float all = 0.0f;
  for (int w = 0; w < kWarps; ++w) all += sums[w];
  for (int c = threadIdx.x; c < columns; c += 32 * kWarps) result[c] /= all;
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<rows, 32 * kWarps>>>(x, y, rows, columns);
}
