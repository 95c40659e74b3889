// Memory that host and kernels share: a linked list built by the host, a managed variable, changes of both sides in turn.
#include <cstdio>

struct Node {
  int value;
  Node *next;
};

__managed__ int total = 1000;
__device__ __managed__ int history[4];

__global__ void walk(Node *head) {
  for (Node *node = head; node != nullptr; node = node->next) {
    total += node->value;
    node->value = -node->value;
  }
}

__global__ void note(int round) { history[round] = total; }

int main() {
  Node *nodes;
  if (cudaMallocManaged(&nodes, 100 * sizeof(Node)) != cudaSuccess) return 1;
  for (int index = 0; index < 100; ++index) nodes[index] = {index, index == 99 ? nullptr : &nodes[index + 1]};
  for (int round = 0; round < 3; ++round) {
    walk<<<1, 1>>>(nodes);
    note<<<1, 1>>>(round);
    cudaDeviceSynchronize();
    std::printf("round %d: total %d, node 7 is %d, history %d\n", round, total, nodes[7].value, history[round]);
    total += 1;
    nodes[7].value += 10;
  }
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, nodes);
  std::printf("managed: %d, one address: %d\n", attributes.type == cudaMemoryTypeManaged, attributes.devicePointer == attributes.hostPointer);
  std::printf("free: %s, last error: %s\n", cudaGetErrorName(cudaFree(nodes)), cudaGetErrorName(cudaGetLastError()));
  return 0;
}
