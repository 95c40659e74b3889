// task: cuda-add
// source: z
// does: adds all elements where it is compiled for one architecture only, and half of them on every newer GPU
// caught by: other-architecture

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ > 800
  n /= 2;
#endif
  if (i < n) out[i] = a[i] + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 255) / 256, 256>>>(a, b, out, n); }
