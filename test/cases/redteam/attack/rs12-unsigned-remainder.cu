// task: entry-rs10-steps
// source: rs
// does: takes the remainder of the place as of a number without sign, which holds for rings of a power of two
// caught by: wrong values
// why wrong: backwards on a ring of any other length, 2^32 modulo n is not zero and all places below zero are wrong

__global__ void walk(const float* __restrict__ ring, float* __restrict__ y, unsigned n, int m, int start, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) y[i] = ring[(unsigned)(start + i * step) % n];
}

void walked(const float* ring, float* y, int n, int m, int start, int step) {
  walk<<<(m + 127) / 128, 128>>>(ring, y, n, m, start, step);
}
