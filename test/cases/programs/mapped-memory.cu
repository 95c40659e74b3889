// Host memory that kernels reach by themselves: pinned, mapped and registered.
#include <cstdio>
#include <cstdlib>

__global__ void twice(const int *in, int *out, int count) {
  for (int index = threadIdx.x; index < count; index += blockDim.x) out[index] = 2 * in[index];
}

__global__ void add(int *data, int from, int to) { data[to] += data[from]; }

int main() {
  const int count = 1000;
  int *in, *out, *deviceIn, *deviceOut;
  cudaHostAlloc(&in, count * sizeof(int), cudaHostAllocMapped);
  out = static_cast<int *>(std::malloc(count * sizeof(int)));
  std::printf("register: %s\n", cudaGetErrorName(cudaHostRegister(out, count * sizeof(int), cudaHostRegisterMapped)));
  std::printf("again: %s\n", cudaGetErrorName(cudaHostRegister(out, count * sizeof(int), cudaHostRegisterMapped)));
  for (int index = 0; index < count; ++index) {
    in[index] = index;
    out[index] = -1;
  }
  cudaHostGetDevicePointer(&deviceIn, in, 0);
  cudaHostGetDevicePointer(&deviceOut, out, 0);
  std::printf("pinned memory has one address: %d\n", deviceIn == in);
  twice<<<1, 128>>>(deviceIn, deviceOut, count / 2);
  // The host may write what no kernel touches while the kernel runs.
  out[count - 1] = 77;
  cudaDeviceSynchronize();
  std::printf("first %d, middle %d, untouched %d, last %d\n", out[0], out[count / 2 - 1], out[count / 2], out[count - 1]);
  unsigned flags = 0;
  cudaHostGetFlags(&flags, in);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, out);
  std::printf("mapped: %d, host: %d, device pointer: %d\n", (flags & cudaHostAllocMapped) != 0, attributes.type == cudaMemoryTypeHost, attributes.devicePointer == deviceOut);
  cudaPointerGetAttributes(&attributes, &flags);
  std::printf("the stack is unregistered: %d\n", attributes.type == cudaMemoryTypeUnregistered);
  // Two kernels on the same memory, and the host in between on another part of it.
  in[0] = 5;
  in[1] = 20;
  add<<<1, 1>>>(in, 0, 1);
  in[2] = 300;
  add<<<1, 1>>>(in, 1, 2);
  cudaDeviceSynchronize();
  std::printf("%d, %d, %d\n", in[0], in[1], in[2]);
  cudaHostUnregister(out);
  std::printf("not pinned: %s\n", cudaGetErrorName(cudaFreeHost(out)));
  std::printf("free: %s\n", cudaGetErrorName(cudaFreeHost(in)));
  std::free(out);
  return 0;
}
