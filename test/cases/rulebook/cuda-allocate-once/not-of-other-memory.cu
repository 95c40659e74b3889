//@case {"kernel": "relax", "host": 20000}
__global__ void relax(const float* old, float* fresh, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) fresh[i] = 0.5f * old[i];
}
void run(float* y, int n) {
  float* now;
  cudaMalloc(&now, 16 * n * sizeof(float));
  for (int step = 0; step < 8; ++step) {
    float* next;
    cudaMalloc(&next, n * sizeof(float));
    relax<<<(n + 255) / 256, 256>>>(now, next, n);
    cudaFree(now);
    now = next;
  }
  cudaMemcpy(y, now, n * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(now);
}
