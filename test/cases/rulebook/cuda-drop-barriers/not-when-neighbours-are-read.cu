//@case {"kernel": "shift"}
__global__ void shift(float* x) {
  __shared__ float own[256];
  own[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();  //@ barriers=512
  x[blockIdx.x * 256 + threadIdx.x] = own[(threadIdx.x + 1) % 256];
}
