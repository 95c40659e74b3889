// task: entry-normalise-sm_90
// source: p
// does: chains three programmatic launches, of which the middle one does not wait: the last one's wait is for the middle one alone, which may end while the first still adds up
// caught by: unordered-streams

__global__ void squares(const float* x, float* total, int n) {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * x[i];
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

// Needs nothing of the kernel before, so it does not wait for it.
__global__ void bring(const float* x, float* y, int n) {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

__global__ void divide(const float* total, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (i < n) y[i] = y[i] / sqrtf(__ldcg(total));
}

void normalised(const float* x, float* y, int n) {
  float* total;
  cudaMalloc(&total, sizeof(float));
  cudaMemsetAsync(total, 0, sizeof(float), 0);
  int blocks = (n + 511) / 512;
  squares<<<blocks < 64 ? blocks : 64, 128>>>(x, total, n);

  cudaLaunchAttribute overlap = {};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((n + 127) / 128);
  config.blockDim = dim3(128);
  config.attrs = &overlap;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, bring, x, y, n);
  cudaLaunchKernelEx(&config, divide, static_cast<const float*>(total), y, n);
  cudaFree(total);
}
