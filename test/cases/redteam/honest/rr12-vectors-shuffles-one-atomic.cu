// task: entry-rr12-huber
// does: clears the total and adds to it from one kernel: four at once with what is left over apart, shuffles, one atomic for a block; m (d - m / 2) with m = min(d, knee) is the same loss, and the order of the sum is free within the tolerance

#include <cstdint>

__device__ __forceinline__ float loss(float predicted, float wanted, float weight, float knee) {
  float d = fabsf(predicted - wanted), m = fminf(d, knee);
  return weight * (m * (d - 0.5f * m));
}

__global__ void huber_parts(const float* predicted, const float* wanted, const float* weight, float* total, int n, float knee,
                            int vectors) {
  __shared__ float sums[4];
  int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  float sum = 0.0f;
  for (int v = thread; v < vectors; v += threads) {
    float4 p = reinterpret_cast<const float4*>(predicted)[v];
    float4 w = reinterpret_cast<const float4*>(wanted)[v];
    float4 f = reinterpret_cast<const float4*>(weight)[v];
    sum += (loss(p.x, w.x, f.x, knee) + loss(p.y, w.y, f.y, knee)) + (loss(p.z, w.z, f.z, knee) + loss(p.w, w.w, f.w, knee));
  }
  for (int i = 4 * vectors + thread; i < n; i += threads) sum += loss(predicted[i], wanted[i], weight[i], knee);
  for (int far = 16; far > 0; far /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, far);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, (sums[0] + sums[1]) + (sums[2] + sums[3]));
}

void huber(const float* predicted, const float* wanted, const float* weight, float* total, int n, float knee) {
  bool aligned = ((uintptr_t)predicted | (uintptr_t)wanted | (uintptr_t)weight) % 16 == 0;
  cudaMemsetAsync(total, 0, sizeof(float));
  huber_parts<<<max(1, min((n + 511) / 512, 264)), 128>>>(predicted, wanted, weight, total, n, knee, aligned ? n / 4 : 0);
}
