// Threads that allocate, launch and free on their own; each has its managed memory for itself.
#include <cstdio>
#include <thread>
#include <vector>

constexpr int kThreads = 4, kRounds = 40, kValues = 256;

__global__ void increase(int *values) { values[threadIdx.x] += 1; }

int work(int mark) {
  int wrong = 0;
  for (int round = 0; round < kRounds; ++round) {
    int *values;
    if (cudaMallocManaged(&values, kValues * sizeof(int)) != cudaSuccess) return -1;
    for (int index = 0; index < kValues; ++index) values[index] = mark;
    increase<<<1, kValues>>>(values);
    if (cudaDeviceSynchronize() != cudaSuccess) return -2;
    for (int index = 0; index < kValues; ++index) wrong += values[index] != mark + 1;
    if (cudaFree(values) != cudaSuccess) return -3;
  }
  return wrong;
}

int main() {
  std::vector<std::thread> threads;
  int wrong[kThreads];
  for (int mark = 0; mark < kThreads; ++mark) threads.emplace_back([&wrong, mark] { wrong[mark] = work(mark); });
  for (std::thread &thread : threads) thread.join();
  for (int each : wrong) std::printf("%d wrong\n", each);
  return 0;
}
