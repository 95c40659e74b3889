//@case {"kernel": "masked"}
__global__ void masked(const float* x, const int* mask, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = x[i];
    if (mask[i] > 0) sum += x[i + 1] + x[i + 2]; //@ globalLoadSectors=300 loadedAgain=200
    y[i] = sum;
  }
}
void run(const float* x, const int* mask, float* y, int n) { masked<<<(n + 63) / 64, 64>>>(x, mask, y, n); }
