// task: entry-normalise-sm_90
// source: programmatic dependent launches
// does: lets the second kernel begin beside the first, and reads the sum without waiting for it
// caught by: unordered-streams

__global__ void squares(const float* x, float* total, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * x[i];
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
  cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void divide(const float* x, const float* total, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] / sqrtf(__ldcg(total));
}

void normalised(const float* x, float* y, int n) {
  float* total;
  cudaMalloc(&total, sizeof(float));
  cudaMemsetAsync(total, 0, sizeof(float), 0);
  squares<<<32, 128>>>(x, total, n);

  cudaLaunchAttribute overlap;
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
