//@case {"kernel": "sums"}
__global__ void sums(const float* x, float* y, int n) {
  __shared__ float tile[128];
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n) return;
  tile[threadIdx.x] = x[at]; //@ instructions=2000
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.0f;
    for (int k = 0; k < 128; k++) total += tile[k]; //@ instructions=6000
    y[blockIdx.x] = total;
  }
}
void run(const float* x, float* y, int n) { sums<<<n / 128, 128>>>(x, y, n); }
