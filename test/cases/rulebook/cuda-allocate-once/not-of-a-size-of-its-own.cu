//@case {"kernel": "halve", "host": 20000}
__global__ void halve(const float* fine, float* coarse, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) coarse[i] = 0.5f * (fine[2 * i] + fine[2 * i + 1]);
}
void run(const float* x, float* y, int n) {
  float* now;
  cudaMalloc(&now, n * sizeof(float));
  cudaMemcpy(now, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
  while (n > 1) {
    n /= 2;
    float* next;
    cudaMalloc(&next, n * sizeof(float));
    halve<<<(n + 255) / 256, 256>>>(now, next, n);
    cudaFree(now);
    now = next;
  }
  cudaMemcpy(y, now, sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(now);
}
