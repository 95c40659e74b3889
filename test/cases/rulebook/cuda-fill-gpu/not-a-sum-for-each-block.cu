//@case {"kernel": "sums"}
__global__ void sums(const float* x, float* y, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];  //@ instructions=4096
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

void run(const float* x, float* y, int n) { sums<<<8, 64>>>(x, y, n); }
