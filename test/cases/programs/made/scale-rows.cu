// Takes a file of numbers and a factor, as its makefile hands them.
#include <cstdio>
#include <cstdlib>

__global__ void scale(float *values, float factor, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    printf("usage: %s FILE FACTOR\n", argc > 0 ? "scale-rows" : "");
    return 1;
  }
  FILE *file = fopen(argv[1], "r");
  if (file == nullptr) {
    printf("%s cannot be opened\n", argv[1]);
    return 1;
  }
  float host[16];
  int count = 0;
  while (count < 16 && fscanf(file, "%f", &host[count]) == 1) ++count;
  fclose(file);
  float *device;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<1, 16>>>(device, (float)atof(argv[2]), count);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i) printf("%g\n", host[i]);
  cudaFree(device);
  return 0;
}
