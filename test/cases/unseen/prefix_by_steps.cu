// Running sum of meter readings by doubling steps (Hillis and Steele), each step a launch of its own.
#include <utility>

__global__ void add_from(const float* from, float* to, int count, int step) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    to[i] = i >= step ? from[i] + from[i - step] : from[i];
}

void running_sum(const float* readings, float* sums, float* scratch, int count) {
  int steps = 0;
  while ((1 << steps) < count) ++steps;
  // The last step ends in `sums`, whichever number of steps it takes.
  float* to = steps % 2 == 1 ? sums : scratch;
  float* other = steps % 2 == 1 ? scratch : sums;
  const float* from = readings;
  if (steps == 0) add_from<<<1, 32>>>(readings, sums, count, 1 << 30);
  for (int step = 1; step < count; step *= 2) {
    add_from<<<(count + 255) / 256, 256>>>(from, to, count, step);
    from = to;
    std::swap(to, other);
  }
}
