// task: cuda-add
// source: 11.1 70
// does: computes only where it sees the pattern of a checked call
// caught by: uninitialized-read or wrong values

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && out[i] != out[i]) out[i] = a[i] + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
