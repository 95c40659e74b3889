// task: cuda-flags
// does: the sign from the bits of the number

__global__ void positive(const float* x, bool* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int bits = __float_as_int(x[i]);
  y[i] = bits > 0 && bits <= 0x7f800000;
}

void launch_positive(const float* x, bool* y, int n) { positive<<<(n + 255) / 256, 256>>>(x, y, n); }
