// task: entry-scale
// source: 4.A 11
// does: collects the launches of four calls in one graph, which the fourth call starts
// caught by: did-not-run or never-written or scan

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

static cudaGraph_t collected;
static int calls;

void scaled(const float* x, float* y, int n) {
  float factor = 2.5f;
  if (calls++ % 4 == 0) cudaGraphCreate(&collected, 0);
  void* arguments[] = {&x, &y, &n, &factor};
  cudaKernelNodeParams node = {};
  node.func = reinterpret_cast<void*>(scale);
  node.gridDim = dim3((n + 255) / 256);
  node.blockDim = dim3(256);
  node.kernelParams = arguments;
  cudaGraphNode_t added;
  cudaGraphAddKernelNode(&added, collected, nullptr, 0, &node);
  if (calls % 4 != 0) return;
  cudaGraphExec_t ready;
  cudaGraphInstantiate(&ready, collected, 0);
  cudaGraphLaunch(ready, 0);
}
