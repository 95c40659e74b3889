//@case {"kernel": "running", "launches": []}
__global__ void running(const float* a, const float* b, float* out, int n, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < d; ++k) {
    float most = 0.0f;
    for (int t = 0; t < d; ++t) most = fmaxf(most, a[t] - k);  //@ instructions=60000
    for (int t = 0; t < d; ++t) sum += a[t];  //@ instructions=60000
    float last = b[k];
    for (int t = 0; t < d; ++t) last += a[t];  //@ instructions=60000
    out[k * n + i] = sum + last * most;  //@ instructions=900
  }
}

void run(const float* a, const float* b, float* out, int n, int d) { running<<<n / 128, 128>>>(a, b, out, n, d); }
