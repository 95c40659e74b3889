// task: cuda-add
// source: special values
// does: keeps sums within the largest finite numbers
// caught by: wrong values

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fminf(fmaxf(a[i] + b[i], -3.4e38f), 3.4e38f);
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 255) / 256, 256>>>(a, b, out, n); }
