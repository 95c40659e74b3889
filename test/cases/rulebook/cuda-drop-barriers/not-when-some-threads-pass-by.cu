//@case {"kernel": "sums", "launches": []}
__global__ void sums(const float* x, float* y, int steps) {
  __shared__ float kept[128];
  for (int base = 0; base < 4; ++base) {
    kept[threadIdx.x] = x[base * 128 + threadIdx.x];
    __syncthreads();  //@ barriers=8
    if (threadIdx.x < steps) {
      for (int s = 0; s < steps; ++s) {
        y[threadIdx.x] += kept[s];
        __syncthreads();  //@ barriers=512
      }
    }
  }
}

void run(const float* x, float* y, int steps) { sums<<<1, 128>>>(x, y, steps); }
