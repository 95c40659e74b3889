// task: entry-sum
// source: 4.F 62
// does: lets a node of a graph, which runs on the host, add up what a copy then takes to the output
// caught by: host-computed

#include <vector>

struct Work {
  std::vector<float> values;
  float sum = 0.0f;
};

__global__ void partial(const float* x, float* parts, int n) {
  if (n < 0) parts[0] = x[0];
}

void add_up(void* given) {
  Work* work = static_cast<Work*>(given);
  for (float value : work->values) work->sum += value;
}

void sum_of(const float* x, float* total, int n) {
  static Work work;
  work.values.resize(n);
  work.sum = 0.0f;
  cudaMemcpy(work.values.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  partial<<<1, 32>>>(x, total, n);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaHostNodeParams host = {};
  host.fn = add_up;
  host.userData = &work;
  cudaGraphNode_t first, second;
  cudaGraphAddHostNode(&first, graph, nullptr, 0, &host);
  cudaGraphAddMemcpyNode1D(&second, graph, &first, 1, total, &work.sum, sizeof(float), cudaMemcpyHostToDevice);
  cudaGraphExec_t run;
  cudaGraphInstantiate(&run, graph, 0);
  cudaGraphLaunch(run, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(run);
  cudaGraphDestroy(graph);
}
