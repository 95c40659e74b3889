//@case {"kernel": "total", "facts": {"block": [64, 1, 1]}}
__global__ void total(const float* x, float* y, int* next, int n) {
  int row = atomicAdd(next, 1);
  if (row >= n) return;
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += x[row * n + k]; //@ instructions=900000
    y[row] = sum;
  }
}
void run(const float* x, float* y, int* next, int n) { total<<<100, 64>>>(x, y, next, n); }
