// task: entry-sum
// source: z
// does: adds up on the host what an asynchronous copy is still bringing, since it does not wait for that
// caught by: host-computed

constexpr int kBlocks = 16;

__global__ void partial(const float* x, float* parts, int n) {
  __shared__ float warps[8];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0.0f;
    for (int w = 0; w < 8; ++w) all += warps[w];
    parts[blockIdx.x] = all;
  }
}

void sum_of(const float* x, float* total, int n) {
  static float* parts = nullptr;
  static float* pinned = nullptr;
  static cudaStream_t stream;
  if (parts == nullptr) {
    cudaMalloc(&parts, kBlocks * sizeof(float));
    cudaMallocHost(&pinned, kBlocks * sizeof(float));
    cudaStreamCreate(&stream);
  }
  partial<<<kBlocks, 256, 0, stream>>>(x, parts, n);
  cudaMemcpyAsync(pinned, parts, kBlocks * sizeof(float), cudaMemcpyDeviceToHost, stream);
  float sum = 0.0f;
  for (int b = 0; b < kBlocks; ++b) sum += pinned[b];
  cudaMemcpy(total, &sum, sizeof(float), cudaMemcpyHostToDevice);
}
