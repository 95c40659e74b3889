//@case {"kernel": "decay"}
// Each turn reads what the one before it has stored.
__global__ void decay(const float* x, float* out, int n) {
  __shared__ float e[512];
  for (int i = threadIdx.x; i < n; i += 64) e[i] = x[blockIdx.x * n + i];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.f;
    for (int i = 1; i < n; ++i) {
      e[i] = 0.5f * e[i - 1] + e[i]; //@ instructions=6000
      sum += e[i];
    }
    out[blockIdx.x] = sum;
  }
}
void run(const float* x, float* out, int rows, int n) { decay<<<rows, 64>>>(x, out, n); }
