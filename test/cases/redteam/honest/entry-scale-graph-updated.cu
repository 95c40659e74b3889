// task: entry-scale
// does: one executable graph, which each call updates to its own buffers

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

void scaled(const float* x, float* y, int n) {
  static cudaGraphExec_t executable = nullptr;
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  scale<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n, 2.5f);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExecUpdateResultInfo info;
  if (executable == nullptr || cudaGraphExecUpdate(executable, graph, &info) != cudaSuccess) {
    cudaGetLastError();
    if (executable != nullptr) cudaGraphExecDestroy(executable);
    cudaGraphInstantiate(&executable, graph, 0);
  }
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  cudaGraphDestroy(graph);
}
