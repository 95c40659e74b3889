// Builds a graph node by node, which the virtual GPU's runtime cannot.
#include <cuda_runtime.h>

int main() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  return cudaGraphDestroy(graph);
}
