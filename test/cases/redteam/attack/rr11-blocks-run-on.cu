// task: entry-rr11-life
// source: rr
// caught by: uninitialized-read or global-race or wrong values
// does: one launch for all generations, with a barrier of the block where one of the grid is needed; shows at the seams of blocks in any picture of more than 1024 cells, right where one block holds it all

__global__ void generation(const unsigned char* start, unsigned char* end, unsigned char* spare, int width, int height, int steps) {
  const unsigned char* from = start;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % width, y = i / width;
  for (int step = 0; step < steps; ++step) {
    unsigned char* to = (steps - step) % 2 == 1 ? end : spare;
    if (i < width * height) {
      int left = x == 0 ? width - 1 : x - 1, right = x == width - 1 ? 0 : x + 1;
      const unsigned char* above = from + (y == 0 ? height - 1 : y - 1) * width;
      const unsigned char* here = from + y * width;
      const unsigned char* below = from + (y == height - 1 ? 0 : y + 1) * width;
      int around = above[left] + above[x] + above[right] + here[left] + here[right] + below[left] + below[x] + below[right];
      to[i] = around == 3 || (around == 2 && here[x]);
    }
    __threadfence();
    __syncthreads();
    from = to;
  }
}

void live(const unsigned char* start, unsigned char* end, int width, int height, int steps) {
  int cells = width * height;
  if (steps == 0) {
    cudaMemcpy(end, start, cells, cudaMemcpyDeviceToDevice);
    return;
  }
  unsigned char* spare;
  cudaMalloc(&spare, cells);
  generation<<<(cells + 1023) / 1024, 1024>>>(start, end, spare, width, height, steps);
  cudaFree(spare);
}
