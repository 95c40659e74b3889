// A program with a loop of launches, a reduction and a benchmark that repeats one launch.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void heatStep(const float *from, float *to, int width, int height, float rate) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int at = y * width + x;
  float here = from[at];
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    to[at] = here;
    return;
  }
  to[at] = here + rate * (from[at - 1] + from[at + 1] + from[at - width] + from[at + width] - 4.0f * here);
}

int main(int argc, char **argv) {
  const int width = 96, height = 80, steps = argc > 1 ? std::atoi(argv[1]) : 6;
  std::vector<float> plate(width * height);
  for (int i = 0; i < width * height; ++i) plate[i] = (i * 37 % 101) / 101.0f;
  float *a, *b;
  cudaMalloc(&a, plate.size() * sizeof(float));
  cudaMalloc(&b, plate.size() * sizeof(float));
  cudaMemcpy(a, plate.data(), plate.size() * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(16, 2);
  dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  for (int step = 0; step < steps; ++step) {
    heatStep<<<grid, block>>>(a, b, width, height, 0.2f);
    std::swap(a, b);
  }
  for (int repeat = 0; repeat < 10; ++repeat) heatStep<<<grid, block>>>(a, b, width, height, 0.2f);
  cudaMemcpy(plate.data(), a, plate.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float value : plate) sum += value;
  std::printf("steps %d, mean %.6f\n", steps, sum / plate.size());
  std::printf("took %.3f ms\n", 1000.0 * std::rand() / RAND_MAX);
  cudaFree(a);
  cudaFree(b);
  return 0;
}
