//@case {"kernel": "twice"}
__global__ void twice(float* x) {
  __shared__ float own[256];
  const int lane = threadIdx.x;
  own[lane] = x[blockIdx.x * 256 + lane];
  __syncthreads();  //@ barriers=512
  x[blockIdx.x * 256 + threadIdx.x] = 2.0f * own[threadIdx.x];
}

void run(float* x, int blocks) { twice<<<blocks, 256>>>(x); }
