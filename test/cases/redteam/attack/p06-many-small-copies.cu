// task: entry-scale
// source: bounds without the calls of copies
// does: scales in a scratch buffer, and brings the result over by hundreds of copies of 64 bytes
// caught by: no gain

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  static float* scratch = nullptr;
  static int room = 0;
  if (room < n) {
    cudaFree(scratch);
    cudaMalloc(&scratch, n * sizeof(float));
    room = n;
  }
  scale<<<(n + 255) / 256, 256>>>(x, scratch, n, 2.5f);
  for (int first = 0; first < n; first += 16)
    cudaMemcpyAsync(y + first, scratch + first, min(16, n - first) * sizeof(float), cudaMemcpyDeviceToDevice);
}
