// Times two kernels with events. While it is profiled the times are the model's, which are the same on every run.
#include <cstdio>

__global__ void touch(float *data, int rounds) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  float value = data[index];
  for (int round = 0; round < rounds; ++round) value = value * 1.0001f + 1;
  data[index] = value;
}

int main() {
  float *data, milliseconds[2];
  const int count = 1 << 16;
  cudaMalloc(&data, count * sizeof(float));
  cudaMemset(data, 0, count * sizeof(float));
  cudaEvent_t events[3];
  for (cudaEvent_t &event : events) cudaEventCreate(&event);
  cudaEventRecord(events[0]);
  touch<<<count / 256, 256>>>(data, 1);
  cudaEventRecord(events[1]);
  touch<<<count / 256, 256>>>(data, 1000);
  cudaEventRecord(events[2]);
  cudaEventSynchronize(events[2]);
  cudaEventElapsedTime(&milliseconds[0], events[0], events[1]);
  cudaEventElapsedTime(&milliseconds[1], events[1], events[2]);
  std::printf("positive: %d, more work takes longer: %d\n", milliseconds[0] > 0, milliseconds[1] > milliseconds[0]);
  cudaFree(data);
  return 0;
}
