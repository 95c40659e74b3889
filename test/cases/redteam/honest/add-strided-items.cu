// task: cuda-add
// does: eight elements a thread, a block apart, all loads first

template <int kItems>
__global__ void __launch_bounds__(128) add(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int n) {
  const int first = blockIdx.x * (128 * kItems) + threadIdx.x;
  float sums[kItems];
#pragma unroll
  for (int item = 0; item < kItems; ++item) {
    const int i = first + item * 128;
    sums[item] = i < n ? a[i] + b[i] : 0.0f;
  }
#pragma unroll
  for (int item = 0; item < kItems; ++item)
    if (const int i = first + item * 128; i < n) out[i] = sums[item];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<8><<<(n + 1023) / 1024, 128>>>(a, b, out, n); }
