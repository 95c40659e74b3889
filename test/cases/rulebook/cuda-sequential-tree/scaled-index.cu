//@case {"kernel": "least"}
__global__ void least(const float* values, float* result) {
  __shared__ float part[128];
  part[threadIdx.x] = values[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  for (unsigned s = 1; s <= 64; s *= 2) {
    const unsigned first = threadIdx.x * s * 2;
    if (first + s < 128) {
      part[first] = min(part[first], part[first + s]);  //@ instructions=4096
    }
    __syncthreads();  //@ barriers=512
  }
  if (threadIdx.x == 0) result[blockIdx.x] = part[0];
}

void run(const float* values, float* result, int blocks) {
  least<<<blocks, 128>>>(values, result);
}
