// The weighted sum of Huber's loss: quadratic up to the knee, linear beyond.
__global__ void huber_parts(const float* predicted, const float* wanted, const float* weight, float* parts, int n, float knee) {
  __shared__ float sums[64];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float d = fabsf(predicted[i] - wanted[i]);
    sum += weight[i] * (d <= knee ? 0.5f * d * d : knee * (d - 0.5f * knee));
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) parts[blockIdx.x] = sums[0];
}

__global__ void huber_total(const float* parts, float* total, int count) {
  float sum = 0.0f;
  for (int i = 0; i < count; ++i) sum += parts[i];
  *total = sum;
}

void huber(const float* predicted, const float* wanted, const float* weight, float* total, int n, float knee) {
  int blocks = (n + 127) / 128;
  float* parts;
  cudaMalloc(&parts, blocks * sizeof(float));
  huber_parts<<<blocks, 64>>>(predicted, wanted, weight, parts, n, knee);
  huber_total<<<1, 1>>>(parts, total, blocks);
  cudaFree(parts);
}
