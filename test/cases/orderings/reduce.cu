// Sums of 2^22 integers, 128 a block, by M. Harris' seven steps.

extern "C" __global__ void reduce_1(const int *in, int *out, int n) {
  extern __shared__ int part[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = in[i];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void reduce_2(const int *in, int *out, int n) {
  extern __shared__ int part[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = in[i];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    unsigned index = 2 * s * t;
    if (index < blockDim.x) part[index] += part[index + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void reduce_3(const int *in, int *out, int n) {
  extern __shared__ int part[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = in[i];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void reduce_4(const int *in, int *out, int n) {
  extern __shared__ int part[];
  unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
  part[t] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

__device__ void last_warp(volatile int *part, unsigned t) {
  for (int s = 32; s > 0; s >>= 1) {
    int sum = part[t] + part[t + s];
    __syncwarp();
    part[t] = sum;
    __syncwarp();
  }
}

extern "C" __global__ void reduce_5(const int *in, int *out, int n) {
  extern __shared__ int part[];
  unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
  part[t] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t < 32) last_warp(part, t);
  if (t == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void reduce_6(const int *in, int *out, int n) {
  __shared__ int part[128];
  unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t] = in[i] + in[i + 128];
  __syncthreads();
  if (t < 64) part[t] += part[t + 64];
  __syncthreads();
  if (t < 32) last_warp(part, t);
  if (t == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void reduce_7(const int *in, int *out, int n) {
  __shared__ int part[128];
  unsigned t = threadIdx.x, i = blockIdx.x * 256 + t, step = 256 * gridDim.x;
  int sum = 0;
  for (; i < n; i += step) sum += in[i] + in[i + 128];
  part[t] = sum;
  __syncthreads();
  if (t < 64) part[t] += part[t + 64];
  __syncthreads();
  if (t < 32) last_warp(part, t);
  if (t == 0) out[blockIdx.x] = part[0];
}
