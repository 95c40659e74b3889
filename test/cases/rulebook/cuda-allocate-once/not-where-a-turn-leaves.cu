//@case {"kernel": "step", "host": 20000}
__global__ void step(float* x, float* change, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { change[i] = 0.1f * x[i]; x[i] -= change[i]; }
}
void run(float* x, int n) {
  for (int k = 0; k < 100; ++k) {
    float* change;
    float first;
    cudaMalloc(&change, n * sizeof(float));
    step<<<(n + 255) / 256, 256>>>(x, change, n);
    cudaMemcpy(&first, change, sizeof(float), cudaMemcpyDeviceToHost);
    if (first < 1e-6f) break;
    cudaFree(change);
  }
}
