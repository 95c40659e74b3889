// task: entry-normalise-sm_90
// does: the second kernel starts beside the first, fetches what does not depend on it, and then waits for it

__global__ void squares(const float* x, float* total, int n) {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * x[i];
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

__global__ void divide(const float* x, const float* total, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float mine = i < n ? x[i] : 0.0f;
  // Returns when the grid before has ended and its writes are seen.
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (i < n) y[i] = mine / sqrtf(__ldcg(total));
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
  cudaLaunchKernelEx(&config, divide, x, static_cast<const float*>(total), y, n);
  cudaFree(total);
}
