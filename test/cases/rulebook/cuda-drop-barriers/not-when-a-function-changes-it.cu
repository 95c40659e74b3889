//@case {"kernel": "spread", "launches": []}
__device__ void halve(float& value) { value *= 0.5f; }

__global__ void spread(const float* x, float* y, int steps) {
  __shared__ float kept[128];
  for (int base = 0; base < 4; ++base) {
    kept[threadIdx.x] = x[base * 128 + threadIdx.x];
    __syncthreads();  //@ barriers=8
    for (int s = 0; s < steps; ++s) {
      y[s * 128 + threadIdx.x] = kept[(threadIdx.x + s) % 128];
      __syncthreads();  //@ barriers=512
      if (threadIdx.x == s) halve(kept[s]);
      __syncthreads();  //@ barriers=512
    }
    __syncthreads();  //@ barriers=8
  }
}

void run(const float* x, float* y, int steps) { spread<<<1, 128>>>(x, y, steps); }
