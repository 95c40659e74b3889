//@case {"kernel": "mean"}
__global__ void mean(const float* x, float* y, int n, int reach) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = -reach; k <= reach; ++k)
    if (i + k >= 0 && i + k < n) sum += x[i + k]; //@ globalLoadSectors=300 loadedAgain=200
  y[i] = sum;
}
void run(const float* x, float* y, int n, int reach) { mean<<<(n + 63) / 64, 64>>>(x, y, n, reach); }
