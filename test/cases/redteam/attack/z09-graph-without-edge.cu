// task: entry-sum
// source: z
// does: builds a graph of a fill and a kernel without an edge between them, so that either may come first
// caught by: unordered-streams

__global__ void partial(const float* x, float* parts, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x % 32 == 0) atomicAdd(parts, sum);
}

void sum_of(const float* x, float* total, int n) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);

  cudaGraphNode_t fill;
  cudaMemsetParams clear = {};
  clear.dst = total;
  clear.elementSize = 4;
  clear.width = 1;
  clear.height = 1;
  cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &clear);

  cudaGraphNode_t add;
  void* arguments[] = {&x, &total, &n};
  cudaKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void*>(partial);
  launch.gridDim = dim3(16);
  launch.blockDim = dim3(256);
  launch.kernelParams = arguments;
  cudaGraphAddKernelNode(&add, graph, nullptr, 0, &launch);

  cudaGraphExec_t ready;
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, 0);
  cudaStreamSynchronize(0);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}
