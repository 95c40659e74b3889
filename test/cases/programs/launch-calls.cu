// Launches through the functions behind `<<<>>>`, with a parameter block of many types.
#include <cstdio>

struct Corner {
  double x;
  char mark;
};

__global__ void collect(char a, short b, int c, long long d, float e, double f, Corner corner, int *out, bool last) {
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = static_cast<int>(d >> 32);
  out[4] = static_cast<int>(e * 10);
  out[5] = static_cast<int>(f * 100);
  out[6] = static_cast<int>(corner.x) + corner.mark;
  out[7] = last;
}

__global__ void number(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = gridDim.x * 100 + blockDim.x; }

static void show(const char *how, int *device) {
  int host[8];
  const cudaError_t copied = cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s (%s):", how, cudaGetErrorName(copied));
  for (int value : host) std::printf(" %d", value);
  std::printf("\n");
}

int main() {
  int *device;
  cudaMalloc(&device, 8 * sizeof(int));
  char a = -5;
  short b = 1234;
  int c = 70000;
  long long d = 9LL << 32;
  float e = 2.5f;
  double f = 3.25;
  Corner corner = {40, 2};
  bool last = true;
  void *arguments[] = {&a, &b, &c, &d, &e, &f, &corner, &device, &last};
  std::printf("%d\n", cudaLaunchKernel(reinterpret_cast<const void *>(collect), dim3(1), dim3(1), arguments, 0, 0));
  show("cudaLaunchKernel", device);

  void (*pointer)(int *) = number;
  pointer<<<2, 4>>>(device);
  show("function pointer", device);

  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(4);
  configuration.blockDim = dim3(2);
  std::printf("%d\n", cudaLaunchKernelEx(&configuration, number, device));
  show("cudaLaunchKernelEx", device);
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {2, 1, 1};
  configuration.attrs = &cluster;
  configuration.numAttrs = 1;
  std::printf("clusters: %s\n", cudaGetErrorName(cudaLaunchKernelEx(&configuration, number, device)));
  std::printf("no kernel: %s\n", cudaGetErrorName(cudaLaunchKernel(device, dim3(1), dim3(1), arguments, 0, 0)));
  const char *name = nullptr;
  cudaFuncGetName(&name, reinterpret_cast<const void *>(number));
  std::printf("name: %s, last error: %d\n", name, cudaGetLastError());
  return 0;
}
