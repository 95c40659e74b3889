// The host changes managed memory while a kernel changes the same and other bytes of it.
#include <cstdio>

__global__ void count(int *counters) {
  atomicAdd_system(&counters[0], 1);
  if (threadIdx.x == 0) counters[1] = 40;
}

int main() {
  int *counters = nullptr;
  cudaMallocManaged(&counters, 4 * sizeof(int));
  for (int index = 0; index < 4; ++index) counters[index] = 0;
  count<<<1, 64>>>(counters);
  __sync_fetch_and_add(&counters[0], 100);
  counters[2] = 7;
  cudaDeviceSynchronize();
  std::printf("%d %d %d\n", counters[0], counters[1], counters[2]);
  count<<<1, 64>>>(counters);
  cudaDeviceSynchronize();
  std::printf("%d\n", counters[0]);
  return 0;
}
