// Graphs that allocate memory: by nodes, and by a stream that is captured.
#include <cstdint>
#include <cstdio>

__global__ void fill(int *values, int first, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = first + i;
}

__global__ void add(int *sum, const int *values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(sum, values[i]);
}

void say(const char *what, cudaError_t error) { printf("%s: %s\n", what, cudaGetErrorName(error)); }

void figures(const char *when) {
  uint64_t used = 0;
  uint64_t reserved = 0;
  cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used);
  cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved);
  printf("%s: used %d, reserved %d\n", when, static_cast<int>(used), static_cast<int>(reserved));
}

int main() {
  constexpr int count = 1000;
  int *sum = nullptr;
  cudaMalloc(&sum, sizeof *sum);
  cudaMemset(sum, 0, sizeof *sum);
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  // A scratch buffer that lives within the graph.
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  int *scratch = nullptr;
  say("allocate in a capture", cudaMallocAsync(&scratch, count * sizeof(int), stream));
  fill<<<4, 256, 0, stream>>>(scratch, 1, count);
  add<<<4, 256, 0, stream>>>(sum, scratch, count);
  say("free in a capture", cudaFreeAsync(scratch, stream));
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  for (int round = 0; round < 3; ++round) cudaGraphLaunch(executable, stream);
  say("three launches", cudaStreamSynchronize(stream));
  int host = 0;
  cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
  printf("sum %d\n", host);
  figures("after three launches");
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  figures("without the graph");

  // Memory that a launch leaves to the program.
  cudaGraphCreate(&graph, 0);
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location = {cudaMemLocationTypeDevice, 0};
  parameters.bytesize = count * sizeof(int);
  cudaGraphNode_t allocating;
  say("a node", cudaGraphAddMemAllocNode(&allocating, graph, nullptr, 0, &parameters));
  cudaGraphNodeType type;
  cudaGraphNodeGetType(allocating, &type);
  printf("of the kind %d, with an address %d\n", type == cudaGraphNodeTypeMemAlloc, parameters.dptr != nullptr);
  int first = 5;
  int size = count;
  void *arguments[] = {&parameters.dptr, &first, &size};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void *>(fill);
  kernel.gridDim = 4;
  kernel.blockDim = 256;
  kernel.kernelParams = arguments;
  cudaGraphNode_t filling;
  cudaGraphAddKernelNode(&filling, graph, &allocating, 1, &kernel);
  cudaGraphInstantiate(&executable, graph, 0);
  say("free before a launch", cudaFree(parameters.dptr));
  cudaGetLastError();
  say("launch", cudaGraphLaunch(executable, stream));
  say("launch again", cudaGraphLaunch(executable, stream));
  cudaGetLastError();
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  figures("what is left");
  cudaMemcpy(&host, static_cast<int *>(parameters.dptr) + count - 1, sizeof host, cudaMemcpyDeviceToHost);
  printf("last %d\n", host);
  say("free", cudaFreeAsync(parameters.dptr, stream));
  figures("at the end");
  cudaStreamDestroy(stream);
  cudaFree(sum);
  return 0;
}
