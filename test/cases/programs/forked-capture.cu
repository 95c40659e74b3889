// A capture that goes over two streams, and one that does not come together again.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void put(int *at, int value) { *at = value; }

__global__ void sum(int *to, const int *left, const int *right) { *to = *left + *right; }

int main() {
  int *numbers;
  cudaMalloc(&numbers, 3 * sizeof(int));
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  cudaEvent_t fork, joined;
  cudaEventCreate(&fork);
  cudaEventCreate(&joined);

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(numbers, 0, 3 * sizeof(int), stream);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(other, fork, 0);
  put<<<1, 1, 0, stream>>>(numbers, 30);
  put<<<1, 1, 0, other>>>(numbers + 1, 12);
  cudaEventRecord(joined, other);
  cudaStreamWaitEvent(stream, joined, 0);
  sum<<<1, 1, 0, stream>>>(numbers + 2, numbers, numbers + 1);
  cudaGraph_t graph;
  std::printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));

  size_t nodes = 0, edges = 0, roots = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
  cudaGraphGetRootNodes(graph, nullptr, &roots);
  std::printf("%zu nodes, %zu edges, %zu roots\n", nodes, edges, roots);
  cudaGraphNode_t all[4];
  cudaGraphGetNodes(graph, all, &nodes);
  cudaKernelNodeParams parameters;
  cudaGraphKernelNodeGetParams(all[1], &parameters);
  int changed = 58;
  void *arguments[] = {parameters.kernelParams[0], &changed};
  parameters.kernelParams = arguments;

  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  for (int round = 0; round < 2; ++round) {
    cudaGraphLaunch(executable, stream);
    int result = 0;
    cudaMemcpyAsync(&result, numbers + 2, sizeof result, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    std::printf("%d\n", result);
    cudaGraphExecKernelNodeSetParams(executable, all[1], &parameters);
  }

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(other, fork, 0);
  put<<<1, 1, 0, other>>>(numbers, 1);
  std::printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
  return 0;
}
