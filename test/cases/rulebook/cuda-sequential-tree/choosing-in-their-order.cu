//@case {"kernel": "first_greatest"}
__global__ void first_greatest(const float* x, int* places) {
  __shared__ float value[128];
  __shared__ int place[128];
  const int t = threadIdx.x;
  value[t] = x[blockIdx.x * 128 + t];
  place[t] = t;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    if ((t & (2 * s - 1)) == 0) {
      if (value[t + s] > value[t]) {
        value[t] = value[t + s];
        place[t] = place[t + s];
      }
    }
    __syncthreads();  //@ barriers=512 instructions=20000
  }
  if (t == 0) places[blockIdx.x] = place[0];
}

void run(const float* x, int* places) { first_greatest<<<100, 128>>>(x, places); }
