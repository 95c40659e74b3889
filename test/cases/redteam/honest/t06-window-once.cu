// task: entry-p09-window
// does: works the window out once for each place, by a kernel of its own, and multiplies by it in a second one

__global__ void windowed(float* window, int width) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= width) return;
  double place = (at + 0.5) / width, value = 0.5;
  for (int step = 0; step < 9000; ++step) value += 0.25 * (place - value * value);
  window[at] = (float)value;
}

__global__ void times(const float* x, const float* window, float* y, int count, int width) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < count) y[at] = x[at] * window[at % width];
}

void windows_of(const float* x, float* y, int frames, int width) {
  float* window;
  cudaMallocAsync((void**)&window, width * sizeof(float), 0);
  windowed<<<(width + 31) / 32, 32>>>(window, width);
  times<<<(frames * width + 127) / 128, 128>>>(x, window, y, frames * width, width);
  cudaFreeAsync(window, 0);
}
