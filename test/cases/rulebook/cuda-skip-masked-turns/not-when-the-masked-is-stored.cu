//@case {"kernel": "scores"}
__global__ void scores(const float* q, const float* k, float* s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < n; ++j) {  //@ instructions=9000
    s[i * n + j] = j <= i ? q[i] * k[j] : -INFINITY;
  }
}
