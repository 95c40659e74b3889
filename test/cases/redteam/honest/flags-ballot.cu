// task: cuda-flags
// does: a vote of the warp, read back bit by bit

__global__ void positive(const float* x, bool* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned votes = __ballot_sync(0xffffffffu, i < n && x[i] > 0.0f);
  if (i < n) y[i] = (votes >> (threadIdx.x & 31)) & 1;
}

void launch_positive(const float* x, bool* y, int n) { positive<<<(n + 127) / 128, 128>>>(x, y, n); }
