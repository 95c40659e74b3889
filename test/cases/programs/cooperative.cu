// A grid-wide barrier between two phases, in a launch whose blocks are all resident; one that has too many is refused.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void prefix(int *data, int *sums, int count) {
  cg::grid_group grid = cg::this_grid();
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int at = 0; at < blockDim.x && index + at < count; ++at) sum += data[index + at];
    sums[blockIdx.x] = sum;
  }
  grid.sync();
  int before = 0;
  for (int block = 0; block < blockIdx.x; ++block) before += sums[block];
  grid.sync();
  if (index < count) data[index] += before;
}

int main() {
  const int count = 1000, threads = 128;
  int host[count], blocks = (count + threads - 1) / threads;
  for (int index = 0; index < count; ++index) host[index] = 1;
  int *data, *sums, elements = count;
  cudaMalloc(&data, sizeof host);
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  void *arguments[] = {&data, &sums, &elements};
  std::printf("launch: %s\n", cudaGetErrorName(cudaLaunchCooperativeKernel(prefix, blocks, threads, arguments)));
  std::printf("synchronize: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int index = 0; index < count; ++index) wrong += host[index] != 1 + index / threads * threads;
  int resident = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, prefix, threads, 0);
  std::printf("wrong: %d, resident: %d\n", wrong, resident);
  std::printf("too many: %s\n", cudaGetErrorName(cudaLaunchCooperativeKernel(prefix, resident * 108 + 1, threads, arguments)));
  return wrong;
}
