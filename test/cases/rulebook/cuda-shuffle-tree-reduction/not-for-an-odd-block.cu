//@case {"kernel": "row_sum"}
__global__ void row_sum(const float* x, float* y, int columns) {
  __shared__ float partial[256];
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    sum += x[blockIdx.x * columns + column];
  }
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (threadIdx.x < stride) {
      partial[threadIdx.x] += partial[threadIdx.x + stride];  //@ instructions=9000 threadInstructions=100000
    }
    __syncthreads();  //@ barriers=4096 instructions=4096
  }
  if (threadIdx.x == 0) {
    y[blockIdx.x] = partial[0];
  }
}

void run(const float* x, float* y, int rows, int columns) {
  row_sum<<<rows, 192>>>(x, y, columns);
}
