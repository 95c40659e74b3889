//@case {"kernel": "blur"}
__constant__ float weights[9];
__global__ void blur(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < 9; ++k) sum += weights[k] * x[i + k]; //@ instructions=90000
  y[i] = sum;
}
