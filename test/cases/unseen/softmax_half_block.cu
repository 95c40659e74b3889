#include <cuda_fp16.h>
#include <float.h>

__inline__ __device__ float warpMax(float v) {
  for (int mask = 16; mask > 0; mask >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, mask, 32));
  return v;
}
__inline__ __device__ float warpSum(float v) {
  for (int mask = 16; mask > 0; mask >>= 1) v += __shfl_xor_sync(0xffffffff, v, mask, 32);
  return v;
}

template <int NUM_WARPS>
__global__ void scaled_softmax(half* scores, int seq_len, float scale) {
  __shared__ float s_max[NUM_WARPS];
  __shared__ float s_sum[NUM_WARPS];
  half* row = scores + (size_t)blockIdx.x * seq_len;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;

  float local_max = -FLT_MAX;
  for (int c = threadIdx.x; c < seq_len; c += blockDim.x) local_max = fmaxf(local_max, __half2float(row[c]) * scale);
  local_max = warpMax(local_max);
  if (lane == 0) s_max[warp] = local_max;
  __syncthreads();
  float m = s_max[0];
  for (int i = 1; i < NUM_WARPS; ++i) m = fmaxf(m, s_max[i]);

  float local_sum = 0.f;
  for (int c = threadIdx.x; c < seq_len; c += blockDim.x) local_sum += __expf(__half2float(row[c]) * scale - m);
  local_sum = warpSum(local_sum);
  if (lane == 0) s_sum[warp] = local_sum;
  __syncthreads();
  float sum = 0.f;
  for (int i = 0; i < NUM_WARPS; ++i) sum += s_sum[i];
  float inv = 1.f / sum;

  for (int c = threadIdx.x; c < seq_len; c += blockDim.x)
    row[c] = __float2half(__expf(__half2float(row[c]) * scale - m) * inv);
}

void invokeScaledSoftmax(half* scores, int rows, int seq_len, float scale) {
  scaled_softmax<4><<<rows, 128>>>(scores, seq_len, scale);
}
