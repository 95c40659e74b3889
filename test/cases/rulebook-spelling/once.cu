//@case {"kernel": "shift"}
__global__ void shift(float* x, int n) { do {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  do {
    if (i >= n) break;
    x[i] += 1.0f;
  } while (0);
} while (false); }
