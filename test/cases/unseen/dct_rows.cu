// 8-point transform of every group of eight samples, one thread a group, staged so that global access is in order.
#define GROUPS 128
__device__ __forceinline__ void butterfly(float& a, float& b) { float t = a - b; a = a + b; b = t; }

__global__ void hadamard8(const float* __restrict__ in, float* __restrict__ out, long n) {
  __shared__ float buf[GROUPS * 8];
  const long first = (long)blockIdx.x * (GROUPS * 8);
  for (int k = threadIdx.x; k < GROUPS * 8; k += GROUPS) buf[k] = first + k < n ? in[first + k] : 0.f;
  __syncthreads();
  float* mine = buf + threadIdx.x * 8;
#pragma unroll
  for (int h = 1; h < 8; h *= 2)
#pragma unroll
    for (int p = 0; p < 8; p++)
      if (!(p & h)) butterfly(mine[p], mine[p + h]);
  __syncthreads();
  for (int k = threadIdx.x; k < GROUPS * 8; k += GROUPS)
    if (first + k < n) out[first + k] = buf[k];
}

void hadamard(const float* in, float* out, long n) { hadamard8<<<(n + GROUPS * 8 - 1) / (GROUPS * 8), GROUPS>>>(in, out, n); }
