// Uses graphs, which the virtual GPU's runtime does not have.
#include <cuda_runtime.h>

int main() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  return cudaGraphDestroy(graph);
}
