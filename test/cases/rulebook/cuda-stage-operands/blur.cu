//@case {"kernel": "blur"}
__global__ void blur(const float* x, float* y, int n, int radius) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = -radius; k <= radius; ++k)
    if (i + k >= 0 && i + k < n) sum += x[i + k];  //@ globalLoadSectors=40960 globalLoadSectorsIdeal=36864 loadedAgain=36864
  y[i] = sum;
}
