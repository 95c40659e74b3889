// Some generations of Conway's game of life on a torus.
__global__ void generation(const unsigned char* from, unsigned char* to, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int around = 0;
  for (int v = -1; v <= 1; ++v)
    for (int u = -1; u <= 1; ++u)
      if (u != 0 || v != 0) around += from[(y + v + height) % height * width + (x + u + width) % width];
  to[y * width + x] = around == 3 || (around == 2 && from[y * width + x]);
}

void live(const unsigned char* start, unsigned char* end, int width, int height, int steps) {
  size_t bytes = (size_t)width * height;
  unsigned char *now, *next;
  cudaMalloc(&now, bytes);
  cudaMalloc(&next, bytes);
  cudaMemcpy(now, start, bytes, cudaMemcpyDeviceToDevice);
  for (int step = 0; step < steps; ++step) {
    generation<<<dim3((width + 7) / 8, (height + 3) / 4), dim3(8, 4)>>>(now, next, width, height);
    unsigned char* other = now;
    now = next;
    next = other;
  }
  cudaMemcpy(end, now, bytes, cudaMemcpyDeviceToDevice);
  cudaFree(now);
  cudaFree(next);
}
