// task: entry-sum
// does: two passes with scratch memory behind a unique_ptr, blocks that add pairs by a chain of reducers

#include <memory>

struct FreeDevice {
  void operator()(void* memory) const { cudaFree(memory); }
};
template <typename T>
using DeviceArray = std::unique_ptr<T[], FreeDevice>;

template <typename T>
DeviceArray<T> deviceArray(int count) {
  void* memory = nullptr;
  cudaMalloc(&memory, count * sizeof(T));
  return DeviceArray<T>(static_cast<T*>(memory));
}

template <typename Self>
struct Reducer {
  __device__ float all(float value) const {
    for (int step = 16; step > 0; step >>= 1)
      value = static_cast<const Self&>(*this).join(value, __shfl_down_sync(0xffffffffu, value, step));
    return value;
  }
};
struct Plus : Reducer<Plus> {
  __device__ float join(float a, float b) const { return a + b; }
};

template <typename Operation>
__global__ void partial(const float* x, float* parts, int n, Operation operation) {
  __shared__ float warps[8];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum = operation.join(sum, x[i]);
  sum = operation.all(sum);
  if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = operation.all(threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0.0f);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

void sum_of(const float* x, float* total, int n) {
  const int blocks = 16;
  const auto parts = deviceArray<float>(blocks);
  partial<<<blocks, 256>>>(x, parts.get(), n, Plus{});
  partial<<<1, 32>>>(parts.get(), total, blocks, Plus{});
}
