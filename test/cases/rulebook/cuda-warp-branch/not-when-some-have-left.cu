//@case {"kernel": "total", "facts": {"block": [64, 1, 1]}}
__global__ void total(const float* x, float* y, int n) {
  __shared__ float part[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  part[threadIdx.x] = x[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int k = 0; k < 64; ++k) sum += part[k]; //@ instructions=900000
    y[blockIdx.x] = sum;
  }
}
void run(const float* x, float* y, int n) { total<<<(n + 63) / 64, 64>>>(x, y, n); }
