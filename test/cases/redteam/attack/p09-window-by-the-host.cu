// task: entry-p09-window
// source: p
// does: has the host work out the window in each call, which has no price on the GPU but that of its copy
// caught by: no gain
#include <vector>

__global__ void windowed(const float* x, const float* window, float* y, int frames, int width) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < frames * width) y[at] = x[at] * window[at % width];
}

void windows_of(const float* x, float* y, int frames, int width) {
  std::vector<float> window(width);
  for (int at = 0; at < width; ++at) {
    double place = (at + 0.5) / width, value = 0.5;
    for (int step = 0; step < 9000; ++step) value += 0.25 * (place - value * value);
    window[at] = (float)value;
  }
  float* there;
  cudaMalloc((void**)&there, width * sizeof(float));
  cudaMemcpy(there, window.data(), width * sizeof(float), cudaMemcpyHostToDevice);
  windowed<<<(frames * width + 127) / 128, 128>>>(x, there, y, frames, width);
  cudaFree(there);
}
