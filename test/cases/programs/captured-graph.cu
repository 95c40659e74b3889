// Work that two streams issue is captured as a graph, which then runs three times.
#include <cstdio>

__global__ void scale(int *data, int factor) { data[threadIdx.x] *= factor; }

__global__ void combine(const int *a, const int *b, int *sum) { sum[threadIdx.x] += a[threadIdx.x] + b[threadIdx.x]; }

static void count(void *calls) { ++*static_cast<int *>(calls); }

int main() {
  const int threads = 32;
  int host[threads], *a, *b, *sum, calls = 0;
  for (int index = 0; index < threads; ++index) host[index] = index;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&sum, sizeof host);
  cudaMemset(sum, 0, sizeof host);
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);

  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(a, host, sizeof host, cudaMemcpyHostToDevice, first);
  cudaEventRecord(fork, first);
  cudaStreamWaitEvent(second, fork, 0);
  cudaMemcpyAsync(b, host, sizeof host, cudaMemcpyHostToDevice, second);
  scale<<<1, threads, 0, first>>>(a, 2);
  scale<<<1, threads, 0, second>>>(b, 10);
  cudaEventRecord(join, second);
  cudaStreamWaitEvent(first, join, 0);
  combine<<<1, threads, 0, first>>>(a, b, sum);
  cudaLaunchHostFunc(first, count, &calls);
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(second, &status);
  std::printf("the second stream captures too: %d\n", status == cudaStreamCaptureStatusActive);
  cudaGraph_t graph;
  std::printf("capture: %s\n", cudaGetErrorName(cudaStreamEndCapture(first, &graph)));
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  std::printf("%zu nodes, %d calls so far\n", nodes, calls);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphDestroy(graph);
  for (int round = 0; round < 3; ++round) {
    for (int index = 0; index < threads; ++index) host[index] = index + round;
    cudaGraphLaunch(executable, first);
  }
  cudaStreamSynchronize(first);
  int result[threads], wrong = 0;
  cudaMemcpy(result, sum, sizeof result, cudaMemcpyDeviceToHost);
  for (int index = 0; index < threads; ++index) wrong += result[index] != 12 * (3 * index + 3);
  std::printf("wrong: %d, calls: %d\n", wrong, calls);
  cudaGraphExecDestroy(executable);
  return wrong;
}
