//@case {"kernel": "mean"}
__global__ void mean(const float* a, float* b, int n, float weight, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int k = 0; k < m; ++k) s += a[i * m + k] / weight; //@ instructions=4000
  b[i] = s + i % m;
}
