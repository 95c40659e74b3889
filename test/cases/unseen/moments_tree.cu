// Sum and sum of squares of a block's share, two trees side by side.
#define TX threadIdx.x
#define SYNC __syncthreads()

__global__ void partial_moments(const double* v, double* sums, double* squares, long count) {
  extern __shared__ double pool[];
  double* s = pool;
  double* q = pool + blockDim.x;
  long at = (long)blockIdx.x * blockDim.x + TX;
  double mine = at < count ? v[at] : 0.0;
  s[TX] = mine;
  q[TX] = mine * mine;
  SYNC;
  for (int gap = 1; gap < blockDim.x; gap <<= 1) {
    if ((TX & (2 * gap - 1)) == 0) {
      s[TX] += s[TX + gap];
      q[TX] += q[TX + gap];
    }
    SYNC;
  }
  if (TX == 0) {
    sums[blockIdx.x] = s[0];
    squares[blockIdx.x] = q[0];
  }
}

void moments(const double* v, double* sums, double* squares, long count) {
  const int width = 256;
  partial_moments<<<(count + width - 1) / width, width, 2 * width * sizeof(double)>>>(v, sums, squares, count);
}
