// task: entry-scale
// does: a graph that is built node by node for each call

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  float factor = 2.5f;
  void* values[] = {&x, &y, &n, &factor};
  cudaKernelNodeParams launch = {};
  launch.func = (void*)scale;
  launch.gridDim = dim3((n + 127) / 128);
  launch.blockDim = dim3(128);
  launch.kernelParams = values;
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t ready;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &launch);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}
