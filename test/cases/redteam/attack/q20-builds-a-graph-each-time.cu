// task: entry-relaxed
// source: q
// does: records its launches into a graph, makes that ready, starts it once and destroys it, in each call: the same kernels, and what takes a GPU's host longer than to launch them
// caught by: no gain

__global__ void relax(const float* from, float* to, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= h || c >= w) return;
  int i = r * w + c;
  if (r == 0 || c == 0 || r == h - 1 || c == w - 1)
    to[i] = from[i];
  else
    to[i] = 0.25f * (from[i - w] + from[i + w] + from[i - 1] + from[i + 1]);
}

void relaxed(const float* x, float* y, int h, int w, int steps) {
  float* other;
  cudaMalloc(&other, sizeof(float) * h * w);
  if (steps == 0) cudaMemcpy(y, x, sizeof(float) * h * w, cudaMemcpyDeviceToDevice);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  const float* from = x;
  for (int step = 0; step < steps; ++step) {
    float* to = (steps - step) % 2 == 1 ? y : other;
    relax<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16), 0, stream>>>(from, to, h, w);
    from = to;
  }
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(other);
}
