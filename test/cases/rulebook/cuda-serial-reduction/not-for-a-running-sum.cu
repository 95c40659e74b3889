//@case {"kernel": "scan"}
__global__ void scan(const float* x, float* y) {
  __shared__ float tile[128];
  tile[threadIdx.x] = x[blockIdx.x * 128 + threadIdx.x]; //@ instructions=2000
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.0f;
    for (int k = 0; k < 128; k++) { total += tile[k]; tile[k] = total; } //@ instructions=6000
  }
  __syncthreads();
  y[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x];
}
void run(const float* x, float* y, int n) { scan<<<n / 128, 128>>>(x, y); }
