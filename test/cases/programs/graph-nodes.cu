// Graphs that are built node by node, changed, cloned and looked at.
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                       \
  do {                                                                                                    \
    const cudaError_t error = (call);                                                                     \
    if (error != cudaSuccess) std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));            \
  } while (0)

constexpr int kCount = 256;

__global__ void scale(float *values, float factor, int count) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) values[index] *= factor;
}

__global__ void add(float *to, const float *from, int count) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) to[index] += from[index];
}

__device__ float offset;

__global__ void shift(float *values, int count) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) values[index] += offset;
}

struct Sum {
  const float *values;
  double total;
};

void CUDART_CB sumUp(void *data) {
  Sum *sum = static_cast<Sum *>(data);
  sum->total = 0;
  for (int index = 0; index < kCount; ++index) sum->total += sum->values[index];
}

cudaKernelNodeParams kernel(const void *function, void **arguments) {
  cudaKernelNodeParams parameters = {};
  parameters.func = const_cast<void *>(function);
  parameters.gridDim = dim3(2);
  parameters.blockDim = dim3(kCount / 2);
  parameters.kernelParams = arguments;
  return parameters;
}

int main() {
  float input[kCount];
  float output[kCount];
  for (int index = 0; index < kCount; ++index) input[index] = static_cast<float>(index);
  float *values = nullptr;
  float *ones = nullptr;
  CHECK(cudaMalloc(&values, sizeof input));
  CHECK(cudaMalloc(&ones, sizeof input));

  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  // Made in an order in which it cannot be done: only the dependencies say what comes first.
  cudaGraphNode_t host, back, adding, scaling, forth, filling, symbol, shifting, joint;
  Sum sum = {output, 0};
  cudaHostNodeParams hostParameters = {sumUp, &sum};
  CHECK(cudaGraphAddHostNode(&host, graph, nullptr, 0, &hostParameters));
  CHECK(cudaGraphAddMemcpyNode1D(&back, graph, nullptr, 0, output, values, sizeof output, cudaMemcpyDeviceToHost));
  int count = kCount;
  float factor = 2;
  void *addArguments[] = {&values, &ones, &count};
  void *scaleArguments[] = {&values, &factor, &count};
  void *shiftArguments[] = {&values, &count};
  cudaKernelNodeParams parameters = kernel(reinterpret_cast<const void *>(add), addArguments);
  CHECK(cudaGraphAddKernelNode(&adding, graph, nullptr, 0, &parameters));
  parameters = kernel(reinterpret_cast<const void *>(scale), scaleArguments);
  CHECK(cudaGraphAddKernelNode(&scaling, graph, nullptr, 0, &parameters));
  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(input, sizeof input, kCount, 1);
  box.dstPtr = make_cudaPitchedPtr(values, sizeof input, kCount, 1);
  box.extent = make_cudaExtent(sizeof input, 1, 1);
  box.kind = cudaMemcpyHostToDevice;
  CHECK(cudaGraphAddMemcpyNode(&forth, graph, nullptr, 0, &box));
  cudaMemsetParams fill = {};
  fill.dst = ones;
  fill.value = 0x3f800000;
  fill.elementSize = 4;
  fill.width = kCount;
  fill.height = 1;
  CHECK(cudaGraphAddMemsetNode(&filling, graph, nullptr, 0, &fill));
  const float half = 0.5f;
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&symbol, graph, nullptr, 0, offset, &half, sizeof half, 0, cudaMemcpyHostToDevice));
  const cudaGraphNode_t beforeShift[] = {symbol, scaling};
  parameters = kernel(reinterpret_cast<const void *>(shift), shiftArguments);
  CHECK(cudaGraphAddKernelNode(&shifting, graph, beforeShift, 2, &parameters));
  CHECK(cudaGraphAddEmptyNode(&joint, graph, &shifting, 1));
  const cudaGraphNode_t from[] = {back, joint, adding, filling, forth};
  const cudaGraphNode_t to[] = {host, back, scaling, adding, adding};
  CHECK(cudaGraphAddDependencies(graph, from, to, nullptr, 5));

  size_t nodes = 0, roots = 0, edges = 0, dependencies = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  CHECK(cudaGraphNodeGetDependencies(adding, nullptr, nullptr, &dependencies));
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(filling, &type));
  std::printf("%zu nodes, %zu roots, %zu edges, %zu before the addition, kind %d\n", nodes, roots, edges, dependencies, type);

  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("(i + 1) * 2 + 0.5: %g %g %g, in all %g\n", output[0], output[1], output[kCount - 1], sum.total);

  // Arguments were copied when the node was made; a change of the executable graph leaves the graph alone.
  factor = 10;
  parameters = kernel(reinterpret_cast<const void *>(scale), scaleArguments);
  CHECK(cudaGraphExecKernelNodeSetParams(executable, scaling, &parameters));
  CHECK(cudaGraphNodeSetEnabled(executable, shifting, 0));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("(i + 1) * 10: %g %g %g, in all %g\n", output[0], output[1], output[kCount - 1], sum.total);
  cudaKernelNodeParams asked;
  CHECK(cudaGraphKernelNodeGetParams(scaling, &asked));
  std::printf("the graph's factor is %g, its block %u\n", *static_cast<float *>(asked.kernelParams[1]), asked.blockDim.x);

  cudaGraph_t clone;
  CHECK(cudaGraphClone(&clone, graph));
  cudaGraphNode_t cloned;
  CHECK(cudaGraphNodeFindInClone(&cloned, scaling, clone));
  CHECK(cudaGraphKernelNodeSetParams(cloned, &parameters));
  cudaGraphExecUpdateResultInfo information;
  CHECK(cudaGraphExecUpdate(executable, clone, &information));
  CHECK(cudaGraphNodeSetEnabled(executable, shifting, 1));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("(i + 1) * 10 + 0.5: %g, in all %g\n", output[0], sum.total);
  CHECK(cudaGraphDestroyNode(cloned));
  std::printf("an update to another shape: %s\n", cudaGetErrorName(cudaGraphExecUpdate(executable, clone, &information)));

  cudaGraph_t outer;
  CHECK(cudaGraphCreate(&outer, 0));
  cudaGraphNode_t first, second;
  CHECK(cudaGraphAddChildGraphNode(&first, outer, nullptr, 0, graph));
  cudaGraphNodeParams generic = {};
  generic.type = cudaGraphNodeTypeMemset;
  generic.memset.dst = ones;
  generic.memset.elementSize = 1;
  generic.memset.width = 1;
  generic.memset.height = 1;
  CHECK(cudaGraphAddNode(&second, outer, &first, nullptr, 1, &generic));
  cudaGraphExec_t outerExecutable;
  CHECK(cudaGraphInstantiate(&outerExecutable, outer, 0));
  CHECK(cudaGraphLaunch(outerExecutable, nullptr));
  CHECK(cudaDeviceSynchronize());
  std::printf("as a child: %g, in all %g\n", output[0], sum.total);
  CHECK(cudaGraphAddDependencies(outer, &second, &first, nullptr, 1));
  std::printf("a cycle: %s\n", cudaGetErrorName(cudaGraphInstantiate(&outerExecutable, outer, 0)));
  cudaGetLastError();

  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(outer));
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaGraphDestroy(graph));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}
