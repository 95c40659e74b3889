//@case {"kernel": "centre", "spec": {"run": {"kind": "launch", "launch": {"block": [256], "arguments": ["x", "y"]}}}}
// Each thread sums the channel for its own element; some threads have none.
__global__ void centre(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* channel = x + blockIdx.y * n;
  float mean = 0.f;
  for (int k = 0; k < n; k++) mean += channel[k]; //@ instructions=9000
  mean /= n;
  float spread = 0.f;
  for (int k = 0; k < n; k++) { //@ instructions=9000
    float far = channel[k] - mean;
    spread += far * far;
  }
  y[blockIdx.y * n + i] = (channel[i] - mean) * rsqrtf(spread / n + 1e-5f);
}
void run(const float* x, float* y, int channels, int n) {
  dim3 grid((n + 255) / 256, channels);
  centre<<<grid, 256>>>(x, y, n);
}
