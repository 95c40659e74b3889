// task: cuda-add
// source: z
// does: promises the compiler blocks of 128 threads at most and launches 256, which a GPU refuses to start
// caught by: invalid-launch

__global__ void __launch_bounds__(128) add(const float* __restrict__ a, const float* __restrict__ b,
                                           float* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) {
  constexpr int threads = 256;
  add<<<(n + threads - 1) / threads, threads>>>(a, b, out, n);
}
