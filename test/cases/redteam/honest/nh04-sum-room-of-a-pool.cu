// task: entry-sum
// does: takes room for each half from the pool on one stream, and gives it back there once that stream has waited for the other one, which reads it

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

__global__ void finish(const float* parts, float* total, bool first) {
  float sum = parts[threadIdx.x];
  for (int o = 16; o; o /= 2) sum += __shfl_down_sync(~0u, sum, o);
  if (threadIdx.x == 0) *total = first ? sum : *total + sum;
}

}  // namespace

void sum_of(const float* x, float* total, int n) {
  cudaStream_t adds, ends;
  cudaEvent_t written, read;
  cudaStreamCreate(&adds);
  cudaStreamCreate(&ends);
  cudaEventCreateWithFlags(&written, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&read, cudaEventDisableTiming);
  float* parts[2];
  int begin[3] = {0, n / 2, n};
  for (int half = 0; half < 2; ++half) {
    cudaMallocAsync(&parts[half], 32 * sizeof(float), adds);
    partial<<<32, 128, 0, adds>>>(x + begin[half], parts[half], begin[half + 1] - begin[half]);
    cudaEventRecord(written, adds);
    cudaStreamWaitEvent(ends, written, 0);
    finish<<<1, 32, 0, ends>>>(parts[half], total, half == 0);
  }
  cudaEventRecord(read, ends);
  cudaStreamWaitEvent(adds, read, 0);
  cudaFreeAsync(parts[0], adds);
  cudaFreeAsync(parts[1], adds);
  cudaStreamSynchronize(adds);
  cudaEventDestroy(read);
  cudaEventDestroy(written);
  cudaStreamDestroy(ends);
  cudaStreamDestroy(adds);
}
