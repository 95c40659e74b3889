//@case {"kernel": "scan"}
__global__ void scan(float* values) {
  __shared__ float part[128];
  part[threadIdx.x] = values[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  for (int s = 1; s < 128; s *= 2) {
    float left = threadIdx.x >= s ? part[threadIdx.x - s] : 0.0f;
    __syncthreads();
    part[threadIdx.x] += left;  //@ instructions=4096
    __syncthreads();  //@ barriers=512
  }
  values[blockIdx.x * 128 + threadIdx.x] = part[threadIdx.x];
}

void run(float* values, int blocks) {
  scan<<<blocks, 128>>>(values);
}
