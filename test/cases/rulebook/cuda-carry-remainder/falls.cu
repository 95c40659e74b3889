//@case {"kernel": "ring"}
__global__ void ring(const float* x, float* y, int n, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < count; ++k) sum += x[(i - k + count) % n];  //@ instructions=9000
  y[i] = sum;
}
