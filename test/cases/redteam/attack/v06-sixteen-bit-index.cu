// task: cuda-add
// source: verdicts 6
// does: keeps its index in sixteen bits
// caught by: wrong values or never-written

__global__ void add(const float* a, const float* b, float* out, int n) {
  unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
