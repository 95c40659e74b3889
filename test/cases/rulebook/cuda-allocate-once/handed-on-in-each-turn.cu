//@case {"kernel": "squares", "host": 20000}
__global__ void squares(const float* old, float* fresh, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float l = i > 0 ? old[i - 1] : old[i], r = i + 1 < n ? old[i + 1] : old[i];
  fresh[i] = 0.25f * l + 0.5f * old[i] + 0.25f * r;
}
void run(const float* x, float* y, int n) {
  float* now;
  cudaMalloc(&now, n * sizeof(float));
  cudaMemcpy(now, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
  for (int step = 0; step < 8; ++step) {
    float* next;
    cudaMalloc(&next, n * sizeof(float));
    squares<<<(n + 255) / 256, 256>>>(now, next, n);
    cudaFree(now);
    now = next;
  }
  cudaMemcpy(y, now, n * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(now);
}
