// Launches that no device takes. Each error is told once and the next launch works.
#include <cstdio>

__global__ void fill(int *data, int value) { data[threadIdx.x] = value; }

__global__ void __launch_bounds__(64) small(int *data) { data[threadIdx.x] = 1; }

__global__ void heavy(float *data) {
  float values[96];
#pragma unroll
  for (int index = 0; index < 96; ++index) values[index] = data[index];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int index = 0; index < 96; ++index) sum += values[index] * values[95 - index] + values[(index * 7) % 96];
  data[threadIdx.x] = sum;
}

static void told(const char *what) { std::printf("%s: %d\n", what, cudaGetLastError()); }

int main() {
  int *data;
  cudaMalloc(&data, 4096);
  fill<<<1, 2048>>>(data, 1);
  told("2048 threads");
  fill<<<dim3(1, 70000), 1>>>(data, 1);
  told("70000 rows of blocks");
  fill<<<1, dim3(1, 1, 65)>>>(data, 1);
  told("65 threads deep");
  fill<<<0, 32>>>(data, 1);
  told("no block");
  small<<<1, 128>>>(data);
  told("more than the launch bounds");
  heavy<<<1, 1024>>>(reinterpret_cast<float *>(data));
  told("more than the registers");
  fill<<<1, 32, 1 << 18>>>(data, 1);
  told("256 KiB of shared memory");
  told("once");
  fill<<<1, 1024>>>(data, 42);
  told("1024 threads");
  int last;
  std::printf("copy: %d, last: %d\n", cudaMemcpy(&last, data + 1023, sizeof last, cudaMemcpyDeviceToHost), last);
  return 0;
}
