//@case {"kernel": "walk"}
__global__ void walk(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  int end = i;
  for (int j = 0; j < n; ++j) {  //@ instructions=9000
    if (j > end) continue;
    sum += x[j];
    if (x[j] > 0.0f) end += 2;
  }
  y[i] = sum;
}
