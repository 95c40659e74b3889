// task: entry-normalise-sm_90
// does: three kernels, each of which begins beside the one before; one thread of a block waits, the others at a barrier

__global__ void clear(float* partial, int blocks) {
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
  for (int i = threadIdx.x; i < blocks; i += blockDim.x) partial[i] = 0.0f;
}

__global__ void squares(const float* x, float* partial, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * x[i];
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x == 0) cudaGridDependencySynchronize();
  __syncthreads();
  if (threadIdx.x % 32 == 0) atomicAdd(&partial[blockIdx.x], sum);
  cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void divide(const float* x, const float* partial, float* y, int n, int blocks) {
  __shared__ float length;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = i < n ? x[i] : 0.0f;
  if (threadIdx.x < 32) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
    float sum = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += 32) sum += __ldcg(&partial[k]);
    for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (threadIdx.x == 0) length = sqrtf(sum);
  }
  __syncthreads();
  if (i < n) y[i] = mine / length;
}

template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), int blocks, cudaStream_t stream, Arguments... arguments) {
  cudaLaunchAttribute overlap[1] = {};
  overlap[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap[0].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = 128;
  config.stream = stream;
  config.attrs = overlap;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
}

void normalised(const float* x, float* y, int n) {
  constexpr int blocks = 24;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  float* partial;
  cudaMalloc(&partial, blocks * sizeof(float));
  launch(clear, 1, stream, partial, blocks);
  launch(squares, blocks, stream, x, partial, n);
  launch(divide, (n + 127) / 128, stream, x, partial, y, n, blocks);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(partial);
}
