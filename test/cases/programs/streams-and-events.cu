// Two streams, pinned memory, events between them, callbacks and times.
#include <cstdio>

__global__ void scale(int *data, int count, int factor) {
  for (int index = threadIdx.x; index < count; index += blockDim.x) data[index] *= factor;
}

static void told(void *text) { std::printf("host function: %s\n", static_cast<const char *>(text)); }

static void called(cudaStream_t, cudaError_t status, void *) { std::printf("callback: %s\n", cudaGetErrorName(status)); }

int main() {
  const int count = 4096, half = count / 2;
  int *host, *device;
  cudaMallocHost(&host, count * sizeof(int));
  cudaMalloc(&device, count * sizeof(int));
  for (int index = 0; index < count; ++index) host[index] = index;

  cudaStream_t streams[2];
  cudaEvent_t start, stop, first;
  cudaStreamCreate(&streams[0]);
  cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking);
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventCreateWithFlags(&first, cudaEventDisableTiming);

  cudaEventRecord(start, streams[0]);
  for (int part = 0; part < 2; ++part) {
    cudaMemcpyAsync(device + part * half, host + part * half, half * sizeof(int), cudaMemcpyHostToDevice, streams[part]);
    scale<<<1, 256, 0, streams[part]>>>(device + part * half, half, part + 2);
    cudaMemcpyAsync(host + part * half, device + part * half, half * sizeof(int), cudaMemcpyDeviceToHost, streams[part]);
  }
  cudaEventRecord(first, streams[0]);
  cudaStreamWaitEvent(streams[1], first, 0);
  char text[] = "both halves are back";
  cudaLaunchHostFunc(streams[1], told, text);
  cudaStreamAddCallback(streams[1], called, nullptr, 0);
  cudaEventRecord(stop, streams[1]);
  cudaEventSynchronize(stop);

  float milliseconds = -1;
  const cudaError_t timed = cudaEventElapsedTime(&milliseconds, start, stop);
  std::printf("elapsed: %s, %s\n", cudaGetErrorName(timed), milliseconds >= 0 ? "not negative" : "negative");
  std::printf("without timing: %s\n", cudaGetErrorName(cudaEventElapsedTime(&milliseconds, start, first)));
  std::printf("last error: %s\n", cudaGetErrorName(cudaGetLastError()));
  int wrong = 0;
  for (int index = 0; index < count; ++index) wrong += host[index] != index * (index < half ? 2 : 3);
  std::printf("wrong: %d, query: %s\n", wrong, cudaGetErrorName(cudaStreamQuery(streams[0])));
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  for (cudaEvent_t event : {start, stop, first}) cudaEventDestroy(event);
  cudaFree(device);
  cudaFreeHost(host);
  return wrong;
}
