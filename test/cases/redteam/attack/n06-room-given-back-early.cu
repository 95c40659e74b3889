// task: entry-sum
// source: n
// does: gives the parts' room back to the pool on the stream that writes them, while another stream still reads them and the next half may be written there
// caught by: unordered-streams

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
  cudaEvent_t there[2];
  cudaStreamCreate(&adds);
  cudaStreamCreate(&ends);
  int begin[3] = {0, n / 2, n};
  for (int half = 0; half < 2; ++half) {
    float* parts;
    cudaEventCreateWithFlags(there + half, cudaEventDisableTiming);
    cudaMallocAsync(&parts, 32 * sizeof(float), adds);
    partial<<<32, 128, 0, adds>>>(x + begin[half], parts, begin[half + 1] - begin[half]);
    cudaEventRecord(there[half], adds);
    cudaStreamWaitEvent(ends, there[half], 0);
    finish<<<1, 32, 0, ends>>>(parts, total, half == 0);
    cudaFreeAsync(parts, adds);
  }
  cudaStreamSynchronize(ends);
  cudaStreamSynchronize(adds);
  for (cudaEvent_t event : there) cudaEventDestroy(event);
  cudaStreamDestroy(ends);
  cudaStreamDestroy(adds);
}
