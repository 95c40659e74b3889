// The first program of every course: copies there, a launch, a copy back, every call checked.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                            \
  do {                                                                                         \
    const cudaError_t status = (call);                                                         \
    if (status != cudaSuccess) {                                                               \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));     \
      std::exit(EXIT_FAILURE);                                                                 \
    }                                                                                          \
  } while (0)

__global__ void add(const float *a, const float *b, float *sum, int count) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) sum[index] = a[index] + b[index];
}

int main() {
  const int count = 100000;
  std::vector<float> a(count), b(count), sum(count);
  for (int index = 0; index < count; ++index) {
    a[index] = 0.5f * index;
    b[index] = 100.0f - index;
  }
  float *deviceA, *deviceB, *deviceSum;
  const size_t bytes = count * sizeof(float);
  CHECK(cudaMalloc(&deviceA, bytes));
  CHECK(cudaMalloc(&deviceB, bytes));
  CHECK(cudaMalloc(&deviceSum, bytes));
  CHECK(cudaMemcpy(deviceA, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(deviceB, b.data(), bytes, cudaMemcpyHostToDevice));
  add<<<(count + 255) / 256, 256>>>(deviceA, deviceB, deviceSum, count);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(sum.data(), deviceSum, bytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int index = 0; index < count; ++index) wrong += sum[index] != a[index] + b[index];
  std::printf("%d of %d wrong, last %g\n", wrong, count, sum[count - 1]);
  CHECK(cudaFree(deviceA));
  CHECK(cudaFree(deviceB));
  CHECK(cudaFree(deviceSum));
  return wrong != 0;
}
