// Kernels that launch kernels: recursion, tails, streams, structures as arguments, copies and fills.
#include <cstdio>

struct Range {
  char tag;
  int *values;
  short first;
  int count;
};

__global__ void add(Range range, int amount) {
  const int index = blockIdx.y * blockDim.x + threadIdx.x;
  if (index < range.count) range.values[range.first + index] += amount;
}

// Each half is ordered by a launch of its own, deepest first.
__global__ void halve(int *values, int *order, int first, int count) {
  if (count == 1) {
    values[first] = atomicAdd(order, 1);
    return;
  }
  halve<<<1, 1>>>(values, order, first, count / 2);
  halve<<<1, 1>>>(values, order, first + count / 2, count - count / 2);
}

__global__ void parent(int *values, int *saved) {
  if (threadIdx.x != 0) return;
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  add<<<1, 8, 0, cudaStreamTailLaunch>>>({'t', values, 0, 8}, 1000);
  add<<<dim3(1, 2), 4, 64, stream>>>({'a', values, 0, 8}, 1);
  cudaEventRecord(event, stream);
  cudaMemcpyAsync(saved, values, 8 * sizeof(int), cudaMemcpyDeviceToDevice, stream);
  cudaMemsetAsync(values + 4, 0, 2 * sizeof(int), stream);
  add<<<1, 2, 0, stream>>>({'b', values, 2, 2}, 20);
  int device = -1, *own = nullptr;
  cudaGetDevice(&device);
  const cudaError_t made = cudaMalloc(&own, 16);
  own[0] = 5;
  printf("%s, device %d, %d: %d\n", cudaGetErrorString(cudaGetLastError()), device, made, own[0]);
  cudaFree(own);
  cudaStreamDestroy(stream);
  cudaEventDestroy(event);
}

__global__ void tooMany(int *values) { add<<<1, 2048>>>({'c', values, 0, 1}, 1); }

__global__ void endless(int depth) {
  if (depth < 40) endless<<<1, 1>>>(depth + 1);
}

int main() {
  int *values, *order;
  cudaMallocManaged(&values, 16 * sizeof(int));
  cudaMallocManaged(&order, sizeof(int));
  cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096);
  size_t pending = 0;
  cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount);
  parent<<<1, 32>>>(values, values + 8);
  std::printf("%d, %zu pending\n", cudaDeviceSynchronize(), pending);
  for (int at = 0; at < 16; ++at)
    std::printf("%d%c", values[at], at % 8 == 7 ? '\n' : ' ');
  halve<<<1, 1>>>(values, order, 0, 8);
  cudaDeviceSynchronize();
  for (int at = 0; at < 8; ++at)
    std::printf("%d%c", values[at], at % 8 == 7 ? '\n' : ' ');
  tooMany<<<1, 1>>>(values);
  endless<<<1, 1>>>(0);
  std::printf("%d\n", cudaDeviceSynchronize());
}
