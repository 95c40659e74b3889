// task: entry-sum
// does: asks an event again and again until the first pass is done before it launches the second one on another stream

#include <thread>

namespace {

__global__ void partial(const float* x, float* parts, int n) {
  __shared__ float warps[4];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int o = 16; o; o /= 2) sum += __shfl_down_sync(~0u, sum, o);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) parts[blockIdx.x] = (warps[0] + warps[1]) + (warps[2] + warps[3]);
}

__global__ void finish(const float* parts, float* total) {
  float sum = parts[threadIdx.x];
  for (int o = 16; o; o /= 2) sum += __shfl_down_sync(~0u, sum, o);
  if (threadIdx.x == 0) *total = sum;
}

}  // namespace

void sum_of(const float* x, float* total, int n) {
  cudaStream_t early, late;
  cudaEvent_t done;
  float* parts;
  cudaStreamCreate(&early);
  cudaStreamCreateWithFlags(&late, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaMalloc(&parts, 32 * sizeof(float));
  partial<<<32, 128, 0, early>>>(x, parts, n);
  cudaEventRecord(done, early);
  while (cudaEventQuery(done) == cudaErrorNotReady) std::this_thread::yield();
  finish<<<1, 32, 0, late>>>(parts, total);
  cudaStreamSynchronize(late);
  cudaFree(parts);
  cudaEventDestroy(done);
  cudaStreamDestroy(late);
  cudaStreamDestroy(early);
}
