//@case {"kernel": "squares", "spec": {"program": {"file": "kernels/case.cu", "sources": [], "arguments": []}}}
__global__ void squares(const float* x, float* parts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) parts[i] = x[i] * x[i];
}
__global__ void scale(const float* x, float* y, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}
void run(const float* x, float* parts, float* y, int n) {
  squares<<<(n + 255) / 256, 256>>>(x, parts, n);
  std::vector<float> host(n);
  cudaMemcpy(host.data(), parts, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 1e30f;
  for (size_t i = 0; i < host.size(); ++i)
    if (host[i] < sum) sum = host[i];
  scale<<<(n + 255) / 256, 256>>>(x, y, 1.0f / (1.0f + sum), n);
}
