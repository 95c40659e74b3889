// task: entry-host-sum
// source: s
// does: takes memory of the host in each call and never gives it back
// caught by: kept-by-each-call

__global__ void squares(const float* x, float* parts, int n) {
  __shared__ float sums[4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? x[i] * x[i] : 0.0f;
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) parts[blockIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}

__global__ void divide(const float* x, float* y, int n, float total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] / total;
}

void divided(const float* x, float* y, int n) {
  int blocks = (n + 127) / 128;
  float* parts;
  cudaMalloc(&parts, blocks * sizeof(float));
  squares<<<blocks, 128>>>(x, parts, n);
  float* host = new float[blocks];
  cudaMemcpy(host, parts, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  float total = 0.0f;
  for (int i = 0; i < blocks; ++i) total += host[i];
  divide<<<blocks, 128>>>(x, y, n, total);
  cudaFree(parts);
}
