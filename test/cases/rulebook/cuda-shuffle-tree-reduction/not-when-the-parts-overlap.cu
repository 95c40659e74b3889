//@case {"kernel": "moments"}
__global__ void moments(const double* v, double* sums, double* squares) {
  extern __shared__ double pool[];
  double* s = pool;
  double* q = pool + 8;
  double mine = v[blockIdx.x * blockDim.x + threadIdx.x];
  s[threadIdx.x] = mine;
  q[threadIdx.x] = mine * mine;
  for (int gap = blockDim.x >> 1; gap > 0; gap >>= 1) {
    __syncthreads();  //@ barriers=4096 instructions=4096
    if (threadIdx.x < gap) {
      s[threadIdx.x] += s[threadIdx.x + gap];  //@ instructions=9000
      q[threadIdx.x] = q[threadIdx.x] + q[threadIdx.x + gap];
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = s[0];
    squares[blockIdx.x] = q[0];
  }
}

void run(const double* v, double* sums, double* squares, int blocks) {
  moments<<<blocks, 256, 512 * sizeof(double)>>>(v, sums, squares);
}
