//@case {"kernel": "relay"}
__global__ void relay(float* x, int steps) {
  __shared__ float first;
  float own = x[threadIdx.x];
  for (int s = 0; s < steps; ++s) {
    if (threadIdx.x == s) first = own;
    __syncthreads();  //@ barriers=720
    own += first;
    __syncthreads();  //@ barriers=720
  }
  x[threadIdx.x] = own;
}

void run(float* x, int steps) { relay<<<1, 256>>>(x, steps); }
