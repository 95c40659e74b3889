// task: entry-rr11-life
// does: all generations in one cooperative launch that fits on the machine, with a barrier of the whole grid between them; two buffers in turn, so that the last generation lands in the result

#include <cooperative_groups.h>

__global__ void generation(const unsigned char* start, unsigned char* end, unsigned char* spare, int width, int height, int steps) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const unsigned char* from = start;
  for (int step = 0; step < steps; ++step) {
    unsigned char* to = (steps - step) % 2 == 1 ? end : spare;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < width * height; i += gridDim.x * blockDim.x) {
      int x = i % width, y = i / width;
      int left = x == 0 ? width - 1 : x - 1, right = x == width - 1 ? 0 : x + 1;
      const unsigned char* above = from + (y == 0 ? height - 1 : y - 1) * width;
      const unsigned char* here = from + y * width;
      const unsigned char* below = from + (y == height - 1 ? 0 : y + 1) * width;
      int around = above[left] + above[x] + above[right] + here[left] + here[right] + below[left] + below[x] + below[right];
      to[i] = around == 3 || (around == 2 && here[x]);
    }
    if (step + 1 < steps) grid.sync();
    from = to;
  }
}

void live(const unsigned char* start, unsigned char* end, int width, int height, int steps) {
  size_t cells = (size_t)width * height;
  if (steps <= 0) {
    cudaMemcpy(end, start, cells, cudaMemcpyDeviceToDevice);
    return;
  }
  int device = 0, processors = 1, each = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, generation, 128, 0);
  int wanted = (int)((cells + 127) / 128), room = processors * each;
  unsigned char* spare;
  cudaMalloc(&spare, cells);
  void* arguments[] = {&start, &end, &spare, &width, &height, &steps};
  cudaLaunchCooperativeKernel((void*)generation, dim3(wanted < room ? wanted : room), dim3(128), arguments, 0, 0);
  cudaFree(spare);
}
