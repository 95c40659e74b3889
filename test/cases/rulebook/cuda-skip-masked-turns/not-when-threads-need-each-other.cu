//@case {"kernel": "shared_past"}
__global__ void shared_past(const float* x, float* y, int n) {
  __shared__ float piece[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int mine = i / 3;
  float sum = 0.0f;
  for (int j = 0; j < n; ++j) {  //@ instructions=9000
    piece[threadIdx.x] = x[j * 64 + threadIdx.x];
    __syncthreads();
    if (j <= mine) sum += piece[63 - threadIdx.x];
    __syncthreads();
  }
  y[i] = sum;
}
