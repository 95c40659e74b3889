// task: cuda-flags
// does: compares the bits of a number as an integer

__global__ void positive(const float* x, bool* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int bits = __float_as_int(x[i]);
  y[i] = bits > 0 && bits <= 0x7f800000;
}

void launch_positive(const float* x, bool* y, int n) { positive<<<(n + 127) / 128, 128>>>(x, y, n); }
