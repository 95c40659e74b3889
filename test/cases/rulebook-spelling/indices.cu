//@case {"kernel": "shift"}
__global__ void shift(float* x, int n) {
  const unsigned int thread = threadIdx.x;
  const int block = (blockIdx.x);
  unsigned moved = threadIdx.y;
  int i = block * blockDim.x + thread;
  moved += 1;
  if (i < n) x[i] += thread + moved;
}
