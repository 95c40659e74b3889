// task: cuda-add
// source: 4.A 12
// does: computes only when the clock is odd
// caught by: never-written or wrong values or refused

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (clock64() >> 3) % 2) out[i] = a[i] + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
