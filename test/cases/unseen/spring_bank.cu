// Springs of 48 banks take a step each: a launch for every bank.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void stepBank(const float* force, float* place, int springs, float step)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < springs) place[i] += step * force[i];
}

int main()
{
  const int banks = 48, springs = 4096;
  std::vector<float> force(banks * springs), place(banks * springs);
  for (size_t i = 0; i < force.size(); ++i) force[i] = (i % 97) * 0.01f;
  float *deviceForce, *devicePlace;
  cudaMalloc(&deviceForce, force.size() * sizeof(float));
  cudaMalloc(&devicePlace, place.size() * sizeof(float));
  cudaMemcpy(deviceForce, force.data(), force.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(devicePlace, 0, place.size() * sizeof(float));
  for (int bank = 0; bank < banks; ++bank)
    stepBank<<<(springs + 127) / 128, 128>>>(deviceForce + bank * springs, devicePlace + bank * springs, springs, 0.1f);
  cudaMemcpy(place.data(), devicePlace, place.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float each : place) sum += each;
  std::printf("%g\n", sum);
}
