//@case {"kernel": "last_tile"}
__global__ void last_tile(const float* x, float* y, int n) {
  __shared__ float piece[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  float sum = 0.0f;
  for (int j = 0; j < n; ++j) {  //@ instructions=9000
    piece[threadIdx.x] = x[j * 64 + threadIdx.x];
    __syncthreads();
    if (j <= i) sum += piece[63 - threadIdx.x];
    __syncthreads();
  }
  y[i] = sum + piece[threadIdx.x];
}
