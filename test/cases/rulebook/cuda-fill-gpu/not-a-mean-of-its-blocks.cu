//@case {"kernel": "mean"}
__global__ void mean(const float* x, float* y, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];  //@ instructions=4096
  for (int far = 16; far > 0; far /= 2) sum += __shfl_down_sync(0xffffffffu, sum, far);
  if (threadIdx.x % 32 == 0) atomicAdd(y, sum / gridDim.x);
}

void run(const float* x, float* y, int n) { mean<<<8, 64>>>(x, y, n); }
