//@case {"kernel": "pick"}
__global__ void pick(const float* x, const int* which, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float table[4] = {x[i], 2 * x[i], 3 * x[i], 4 * x[i]};
  y[i] = table[which[i]];  //@ localRequests=8192
}

void run(const float* x, const int* which, float* y, int n) { pick<<<(n + 255) / 256, 256>>>(x, which, y, n); }
