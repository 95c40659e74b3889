// Nodes of graphs that run by a condition: choices, loops in loops, values that a launch sets, copies of graphs.
#include <cstdio>

#define CHECK(call)                                                                   \
  do {                                                                                \
    const cudaError_t error = (call);                                                 \
    if (error != cudaSuccess) printf("%d: %s\n", __LINE__, cudaGetErrorName(error)); \
  } while (0)

/** Counts down, and goes on while there is something left. */
__global__ void countDown(int *left, cudaGraphConditionalHandle handle) {
  *left -= 1;
  cudaGraphSetConditional(handle, *left > 0);
}

__global__ void add(int *sum, int value) { *sum += value; }

__global__ void set(int *left, int value) { *left = value; }

__global__ void choose(const int *sum, cudaGraphConditionalHandle handle) { cudaGraphSetConditional(handle, *sum % 4); }

static int *sum, *outer, *inner;

template <typename... Given, typename... Arguments>
static cudaGraphNode_t kernel(cudaGraph_t graph, cudaGraphNode_t after, void (*function)(Given...), Arguments... values) {
  void *arguments[] = {&values...};
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeKernel};
  parameters.kernel.func = reinterpret_cast<void *>(function);
  parameters.kernel.gridDim = parameters.kernel.blockDim = dim3(1, 1, 1);
  parameters.kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, after == nullptr ? nullptr : &after, nullptr, after == nullptr ? 0 : 1, &parameters));
  return node;
}

static cudaGraphNode_t condition(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type, unsigned size, cudaGraph_t *bodies) {
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeConditional};
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  cudaGraphNode_t node = nullptr;
  const cudaError_t error = cudaGraphAddNode(&node, graph, after == nullptr ? nullptr : &after, nullptr, after == nullptr ? 0 : 1, &parameters);
  if (error != cudaSuccess) {
    printf("%u bodies: %s\n", size, cudaGetErrorName(error));
    return nullptr;
  }
  for (unsigned body = 0; body < size; ++body) bodies[body] = parameters.conditional.phGraph_out[body];
  return node;
}

static int launched(cudaGraphExec_t executable) {
  int found = 0;
  CHECK(cudaMemset(sum, 0, sizeof found));
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaMemcpy(&found, sum, sizeof found, cudaMemcpyDeviceToHost));
  return found;
}

/** A loop of three rounds, in each of which another one goes round twice. */
static void loops() {
  cudaGraph_t graph, body, within;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle first, second;
  CHECK(cudaGraphConditionalHandleCreate(&first, graph, 1, cudaGraphCondAssignDefault));
  const cudaGraphNode_t start = kernel(graph, nullptr, set, outer, 3);
  const cudaGraphNode_t loop = condition(graph, start, first, cudaGraphCondTypeWhile, 1, &body);
  CHECK(cudaGraphConditionalHandleCreate(&second, body, 1, 0));
  const cudaGraphNode_t again = kernel(body, nullptr, set, inner, 2);
  const cudaGraphNode_t inLoop = condition(body, again, second, cudaGraphCondTypeWhile, 1, &within);
  kernel(within, kernel(within, nullptr, add, sum, 1), countDown, inner, second);
  const cudaGraphNode_t counted = kernel(body, inLoop, countDown, outer, first);
  // What was set to 0 is set to 1 again, for the next round.
  kernel(body, kernel(body, counted, set, inner, 2), countDown, inner, second);
  kernel(graph, loop, add, sum, 100);
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(loop, &type));
  printf("type: %s\n", type == cudaGraphNodeTypeConditional ? "conditional" : "another");
  cudaGraphExec_t executable, other;
  cudaGraph_t copy;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphClone(&copy, graph));
  CHECK(cudaGraphInstantiate(&other, copy, 0));
  CHECK(cudaGraphDestroy(graph));
  for (int turn = 0; turn < 2; ++turn) printf("loops: %d", launched(executable));
  printf(" a copy: %d\n", launched(other));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphExecDestroy(other));
  CHECK(cudaGraphDestroy(copy));
}

static void choices() {
  cudaGraph_t graph, ways[3], branches[2];
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle number, flag;
  CHECK(cudaGraphConditionalHandleCreate(&number, graph, 0, 0));
  CHECK(cudaGraphConditionalHandleCreate(&flag, graph, 0, cudaGraphCondAssignDefault));
  cudaGraphNode_t last = nullptr;
  for (int turn = 0; turn < 3; ++turn) {
    last = kernel(graph, last, choose, sum, number);
    last = condition(graph, last, number, cudaGraphCondTypeSwitch, 3, ways);
    for (int way = 0; way < 3; ++way) kernel(ways[way], nullptr, add, sum, way == 0 ? 1 : 10 * way);
  }
  last = condition(graph, last, flag, cudaGraphCondTypeIf, 2, branches);
  kernel(branches[0], nullptr, add, sum, 1000);
  kernel(branches[1], nullptr, add, sum, 2000);
  condition(graph, last, flag, cudaGraphCondTypeWhile, 2, ways);
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  // 0 + 1 = 1, + 10 = 11, of which 3 chooses nothing.
  printf("choices: %d\n", launched(executable));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

int main() {
  CHECK(cudaMalloc(&sum, sizeof(int)));
  CHECK(cudaMalloc(&outer, sizeof(int)));
  CHECK(cudaMalloc(&inner, sizeof(int)));
  loops();
  choices();
  return 0;
}
