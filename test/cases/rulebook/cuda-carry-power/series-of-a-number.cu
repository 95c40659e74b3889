//@case {"kernel": "series"}
__global__ void series(const float* x, const float* c, float* y, int n, int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float sum = 0.0f;
#pragma unroll 4
  for (int k = 0; k < terms; ++k) {
    if (c[k] == 0.0f) continue;
    sum += c[k] * powf(v, (float)k) / (1.0f + powf(v, (float)k)); //@ instructions=90000
  }
  y[i] = sum;
}
