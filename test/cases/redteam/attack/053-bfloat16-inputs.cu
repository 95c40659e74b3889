// task: cuda-add
// source: 4.E 53
// does: truncates its inputs to sixteen bits
// caught by: wrong values

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float left = __uint_as_float(__float_as_uint(a[i]) & 0xffff0000u);
  out[i] = left + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
