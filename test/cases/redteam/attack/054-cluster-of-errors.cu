// task: cuda-add
// source: 4.E 54
// does: leaves one element in a thousand wrong
// caught by: wrong values

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % 1000 == 7 ? a[i] : a[i] + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
