// task: entry-sum
// does: captures two streams into one graph, forked and joined by events, each with half of the numbers

__global__ void partial(const float* x, float* parts, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x % 32 == 0) atomicAdd(parts, sum);
}

__global__ void together(const float* parts, float* total) { *total = parts[0] + parts[1]; }

void sum_of(const float* x, float* total, int n) {
  cudaStream_t trunk, branch;
  cudaEvent_t fork, join;
  float* parts;
  cudaMalloc(&parts, 2 * sizeof(float));
  cudaStreamCreate(&trunk);
  cudaStreamCreate(&branch);
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
  int half = n / 2;

  cudaGraph_t graph;
  cudaStreamBeginCapture(trunk, cudaStreamCaptureModeThreadLocal);
  cudaMemsetAsync(parts, 0, 2 * sizeof(float), trunk);
  cudaEventRecord(fork, trunk);
  cudaStreamWaitEvent(branch, fork, 0);
  partial<<<8, 128, 0, trunk>>>(x, parts, half);
  partial<<<8, 128, 0, branch>>>(x + half, parts + 1, n - half);
  cudaEventRecord(join, branch);
  cudaStreamWaitEvent(trunk, join, 0);
  together<<<1, 1, 0, trunk>>>(parts, total);
  cudaStreamEndCapture(trunk, &graph);

  cudaGraphExec_t ready;
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, trunk);
  cudaStreamSynchronize(trunk);

  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaEventDestroy(join);
  cudaEventDestroy(fork);
  cudaStreamDestroy(branch);
  cudaStreamDestroy(trunk);
  cudaFree(parts);
}
