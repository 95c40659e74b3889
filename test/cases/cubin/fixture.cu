// Small kernels that reach every part of the cubin reader; compiled once, see refresh in fixtures.ts.
__device__ __forceinline__ float scaled(float value, float factor) {
  return value * factor + 1.0f;
}

__device__ __noinline__ float not_inlined(float value, int n) {
  return n > 3 ? value * n : value - n;
}

extern "C" __global__ void copy_scaled(const float* in, float* out, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = scaled(in[i], factor);
}

extern "C" __global__ void copy_wide(const float4* in, float4* out) {
  out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void __launch_bounds__(256) reduce(const float* in, float* out, int n) {
  __shared__ float tile[256];
  float sum = 0.0f;
#pragma unroll 1
  for (int k = threadIdx.x; k < n; k += 256)
    sum += in[k];
  tile[threadIdx.x] = sum;
  __syncthreads();
#pragma unroll 1
  for (int half = 128; half > 0; half >>= 1) {
    if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, tile[0]);
}

extern "C" __global__ void indexed_array(const int* in, int* out, int n) {
  int keep[16];
  for (int k = 0; k < 16; k++) keep[k] = in[k * n];
  keep[in[n] & 15] += n;
  keep[in[threadIdx.x] & 15] *= n;
  out[threadIdx.x] = keep[in[threadIdx.x + 1] & 15];
}

extern "C" __global__ void __launch_bounds__(1024, 2) spilling(float* data, int n) {
  float live[40];
#pragma unroll
  for (int k = 0; k < 40; k++) live[k] = data[k * n + threadIdx.x];
  __syncthreads();
#pragma unroll 1
  for (int round = 0; round < n; round++) {
#pragma unroll
    for (int k = 0; k < 40; k++) live[k] += live[(k * 7 + 3) % 40] * round;
  }
#pragma unroll
  for (int k = 0; k < 40; k++) data[k * n + threadIdx.x] = live[k];
}

extern "C" __global__ void calls(float* data, int n) {
  data[threadIdx.x] = not_inlined(data[threadIdx.x], n) + not_inlined(data[n], threadIdx.x);
}

struct Large {
  char bytes[6000];
};

extern "C" __global__ void large_parameter(Large value, char* out) {
  out[threadIdx.x] = value.bytes[threadIdx.x];
}
