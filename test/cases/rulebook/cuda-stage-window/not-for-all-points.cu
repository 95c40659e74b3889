//@case {"kernel": "blend"}
__global__ void blend(const float* x, const int* mask, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 2 || mask[i] == 0) return;
  y[i] = x[i] + x[i + 1] + x[i + 2]; //@ globalLoadSectors=300 loadedAgain=200
}
void run(const float* x, const int* mask, float* y, int n) { blend<<<(n + 63) / 64, 64>>>(x, mask, y, n); }
