// task: entry-rr12-huber
// does: each thread copies its next vectors to shared memory asynchronously while it works on those before, which it alone reads; the last block adds the parts in a fixed order behind fences, and its counter wraps to 0

#include <cstdint>
#include <cuda_pipeline.h>

constexpr int kThreads = 128, kBlocks = 132;
__device__ float parts[kBlocks];
__device__ unsigned arrived;

__device__ __forceinline__ float loss(float predicted, float wanted, float weight, float knee) {
  float d = fabsf(predicted - wanted), m = fminf(d, knee);
  return weight * (m * (d - 0.5f * m));
}

__device__ float sum_of_block(float sum) {
  __shared__ float sums[kThreads / 32];
  for (int far = 16; far > 0; far /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, far);
  __syncthreads();
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

__global__ void huber_parts(const float* predicted, const float* wanted, const float* weight, float* total, int n, float knee,
                            int vectors) {
  __shared__ float4 staged[2][3][kThreads];
  __shared__ bool last;
  int t = threadIdx.x, thread = blockIdx.x * kThreads + t, threads = gridDim.x * kThreads;
  const float4* sources[3] = {reinterpret_cast<const float4*>(predicted), reinterpret_cast<const float4*>(wanted),
                              reinterpret_cast<const float4*>(weight)};
  float sum = 0.0f;
  if (thread < vectors) {
#pragma unroll
    for (int which = 0; which < 3; ++which) __pipeline_memcpy_async(&staged[0][which][t], sources[which] + thread, 16);
  }
  __pipeline_commit();
  int stage = 0;
  for (int v = thread; v < vectors; v += threads) {
    if (v + threads < vectors) {
#pragma unroll
      for (int which = 0; which < 3; ++which)
        __pipeline_memcpy_async(&staged[stage ^ 1][which][t], sources[which] + v + threads, 16);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    float4 p = staged[stage][0][t], w = staged[stage][1][t], f = staged[stage][2][t];
    sum += (loss(p.x, w.x, f.x, knee) + loss(p.y, w.y, f.y, knee)) + (loss(p.z, w.z, f.z, knee) + loss(p.w, w.w, f.w, knee));
    stage ^= 1;
  }
  for (int i = 4 * vectors + thread; i < n; i += threads) sum += loss(predicted[i], wanted[i], weight[i], knee);
  sum = sum_of_block(sum);
  if (t == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  sum = 0.0f;
  for (int block = t; block < gridDim.x; block += kThreads) sum += __ldcg(parts + block);
  sum = sum_of_block(sum);
  if (t == 0) *total = sum;
}

void huber(const float* predicted, const float* wanted, const float* weight, float* total, int n, float knee) {
  bool aligned = ((uintptr_t)predicted | (uintptr_t)wanted | (uintptr_t)weight) % 16 == 0;
  int blocks = (n + 4 * kThreads - 1) / (4 * kThreads);
  blocks = blocks < 1 ? 1 : blocks > kBlocks ? kBlocks : blocks;
  huber_parts<<<blocks, kThreads>>>(predicted, wanted, weight, total, n, knee, aligned ? n / 4 : 0);
}
