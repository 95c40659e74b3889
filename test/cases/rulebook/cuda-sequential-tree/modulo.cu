//@case {"kernel": "total"}
__global__ void total(const int* values, int* sums) {
  __shared__ int part[64];
  int lane = threadIdx.x;
  part[lane] = values[blockIdx.x * 64 + lane];
  __syncthreads();
  for (int gap = 1; gap < blockDim.x; gap <<= 1) {
    if ((lane & (2 * gap - 1)) == 0) part[lane] = part[lane] + part[gap + lane];  //@ instructions=4096
    __syncthreads();  //@ barriers=512
  }
  if (lane == 0) sums[blockIdx.x] = part[0];
}

void run(const int* values, int* sums, int blocks) {
  total<<<blocks, 64>>>(values, sums);
}
