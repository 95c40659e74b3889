#include <cooperative_groups.h>

__global__ void __launch_bounds__(128) fill(int *out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }

__global__ void spread(int *out, int blocks) {
  const auto grid = cooperative_groups::this_grid();
  if (threadIdx.x == 0) out[blockIdx.x] = 10;
  grid.sync();
  if (grid.thread_rank() != 0) return;
  for (int block = 1; block < blocks; ++block) out[0] += out[block];
}

static __global__ void step(int *out) { out[0] += 100; }

void fillThere(int *out, int value) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  step<<<1, 1, 0, stream>>>(out);
  fill<<<2, 128, 0, stream>>>(out, value);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
