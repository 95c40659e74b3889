// task: entry-sum
// source: verdicts 2
// does: adds up on the host and launches as many kernels, which each add a little, as the sum asks for
// caught by: host-computed

#include <cmath>
#include <vector>

__global__ void partial(const float* x, float* parts, int n) {
  if (threadIdx.x == 0) parts[0] = 0.0f;
}
__global__ void more(float* parts, float step) { parts[0] += step; }

void sum_of(const float* x, float* total, int n) {
  std::vector<float> values(n);
  cudaMemcpy(values.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0.0;
  for (float value : values) sum += value;
  partial<<<1, 32>>>(x, total, n);
  double left = std::fabs(sum);
  for (float step = 256.0f; step > 1e-6f; step /= 4)
    for (; left >= step; left -= step) more<<<1, 1>>>(total, sum < 0 ? -step : step);
}
