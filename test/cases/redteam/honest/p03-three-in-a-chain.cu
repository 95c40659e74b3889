// task: entry-normalise-sm_90
// does: three kernels overlap by programmatic launches; the middle one waits for the first before it takes the root, and the last one waits for the middle one

__global__ void squares(const float* x, float* total, int n) {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * x[i];
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

__global__ void takeRoot(const float* total, float* root) {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (threadIdx.x == 0) *root = sqrtf(__ldcg(total));
}

__global__ void divide(const float* x, const float* root, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float mine = i < n ? x[i] : 0.0f;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (i < n) y[i] = mine / __ldcg(root);
}

void normalised(const float* x, float* y, int n) {
  float* both;
  cudaMalloc(&both, 2 * sizeof(float));
  cudaMemsetAsync(both, 0, sizeof(float), 0);
  int blocks = (n + 511) / 512;
  squares<<<blocks < 64 ? blocks : 64, 128>>>(x, both, n);

  cudaLaunchAttribute overlap = {};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  config.attrs = &overlap;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, takeRoot, static_cast<const float*>(both), both + 1);
  config.gridDim = dim3((n + 127) / 128);
  config.blockDim = dim3(128);
  cudaLaunchKernelEx(&config, divide, x, static_cast<const float*>(both + 1), y, n);
  cudaFree(both);
}
