// Mean temperature of each hour of a weather station; an hour with a broken sample counts as none.
#include <cmath>
#include <cstdio>
#include <vector>

static const int kSamples = 60;

__global__ void hourly_means(const float* kelvin, float* mean, int hours, float coldest, float hottest) {
  int hour = blockIdx.x * blockDim.x + threadIdx.x;
  if (hour >= hours) return;
  const float* own = kelvin + hour * kSamples;
  bool whole = true;
  float sum = 0.0f;
  for (int s = 0; s < kSamples; ++s) {
    whole = whole && own[s] > coldest && own[s] < hottest;
    sum += own[s];
  }
  mean[hour] = whole ? sum / kSamples : 0.0f;
}

int main() {
  const int hours = 24 * 365;
  std::vector<float> kelvin(hours * kSamples), mean(hours);
  for (int i = 0; i < hours * kSamples; ++i)
    kelvin[i] = 283.0f + 9.0f * sinf(i * 0.0044f) + 3.0f * cosf(i * 0.37f) + (i % 9001 == 0 ? 400.0f : 0.0f);
  float *in, *out;
  cudaMalloc(&in, kelvin.size() * sizeof(float));
  cudaMalloc(&out, hours * sizeof(float));
  cudaMemcpy(in, kelvin.data(), kelvin.size() * sizeof(float), cudaMemcpyHostToDevice);
  hourly_means<<<(hours + 127) / 128, 128>>>(in, out, hours, 230.0f, 330.0f);
  cudaMemcpy(mean.data(), out, hours * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int hour = 0; hour < hours; ++hour) {
    double sum = 0;
    bool whole = true;
    for (int s = 0; s < kSamples; ++s) {
      float one = kelvin[hour * kSamples + s];
      whole = whole && one > 230.0f && one < 330.0f;
      sum += one;
    }
    wrong += std::fabs(mean[hour] - (whole ? sum / kSamples : 0)) > 0.01;
  }
  printf("%s\n", wrong == 0 ? "PASSED" : "FAILED");
  return wrong != 0;
}
