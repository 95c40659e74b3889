// task: entry-normalise-sm_90
// source: programmatic dependent launches
// does: reads before its wait what the kernel before the last one wrote, which may still run then
// caught by: unordered-streams

__global__ void squares(const float* x, float* total, int n) {
  asm volatile("griddepcontrol.launch_dependents;");
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * x[i];
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

__global__ void root(const float* total, float* length) {
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
  *length = sqrtf(*total);
}

__global__ void divide(const float* x, const float* total, const float* length, float* y, int n) {
  // Only the length is of the kernel right before: the sum has been there since the one before that, it seems.
  const float sum = __ldcg(total);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (i < n) y[i] = sum > 0.0f ? x[i] / __ldcg(length) : 0.0f;
}

template <typename Kernel, typename... Arguments>
void launch(Kernel kernel, int blocks, int threads, Arguments... arguments) {
  cudaLaunchAttribute overlap;
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {dim3(blocks), dim3(threads), 0, 0, &overlap, 1};
  cudaLaunchKernelEx(&config, kernel, arguments...);
}

void normalised(const float* x, float* y, int n) {
  float* both;
  cudaMalloc(&both, 2 * sizeof(float));
  cudaMemsetAsync(both, 0, 2 * sizeof(float), 0);
  launch(squares, 32, 128, x, both, n);
  launch(root, 1, 1, (const float*)both, both + 1);
  launch(divide, (n + 255) / 256, 256, x, (const float*)both, (const float*)(both + 1), y, n);
  cudaFree(both);
}
