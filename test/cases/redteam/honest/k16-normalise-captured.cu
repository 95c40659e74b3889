// task: entry-normalise-sm_90
// does: captures two kernels of which the second begins beside the first, and launches the graph

__global__ void squares(const float* x, float* total, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * x[i];
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
  __threadfence();
  cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void divide(const float* x, const float* total, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float mine = x[i];
  cudaGridDependencySynchronize();
  y[i] = mine / sqrtf(__ldcg(total));
}

void normalised(const float* x, float* y, int n) {
  float* total;
  cudaMalloc(&total, sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  cudaMemsetAsync(total, 0, sizeof(float), stream);
  squares<<<32, 128, 0, stream>>>(x, total, n);
  cudaLaunchAttribute overlap = {};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((n + 127) / 128);
  config.blockDim = dim3(128);
  config.stream = stream;
  config.attrs = &overlap;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, divide, x, static_cast<const float*>(total), y, n);
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(total);
}
