// Arithmetic by type, literals of the wrong type, registers, atomics, rows.

template <typename T>
__device__ void chains(T *out, T x, int rounds) {
  T sums[8];
  for (int i = 0; i < 8; ++i) sums[i] = (T)(threadIdx.x + i);
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 64; ++i) sums[i % 8] = sums[i % 8] * x + (T)3;
  T total = 0;
  for (int i = 0; i < 8; ++i) total += sums[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

extern "C" __global__ void chains_float(float *out, float x, int rounds) { chains(out, x, rounds); }
extern "C" __global__ void chains_double(double *out, double x, int rounds) { chains(out, x, rounds); }
extern "C" __global__ void chains_int(int *out, int x, int rounds) { chains(out, x, rounds); }

// A polynomial of degree 8 with literals in single and in double precision.
extern "C" __global__ void polynomial_single(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], y = 0.5f;
  for (int k = 0; k < 8; ++k) y = y * x + 1.1f;
  out[i] = y;
}

extern "C" __global__ void polynomial_double(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], y = 0.5;
  for (int k = 0; k < 8; ++k) y = y * x + 1.1;
  out[i] = y;
}

// 64 running sums a thread, with all registers that they need and with 32.
__device__ void running_sums(const float *in, float *out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sums[64];
#pragma unroll
  for (int k = 0; k < 64; ++k) sums[k] = in[(i + k) % n];
  for (int round = 0; round < rounds; ++round) {
    float x = in[(i + round) % n];
#pragma unroll
    for (int k = 0; k < 64; ++k) sums[k] = sums[k] * x + sums[(k + 7) % 64];
  }
  float total = 0.0f;
#pragma unroll
  for (int k = 0; k < 64; ++k) total += sums[k];
  out[i] = total;
}

extern "C" __global__ void __launch_bounds__(256, 2) sums_in_registers(const float *in, float *out, int n, int rounds) { running_sums(in, out, n, rounds); }
extern "C" __global__ void __launch_bounds__(1024, 2) sums_spilled(const float *in, float *out, int n, int rounds) { running_sums(in, out, n, rounds); }

extern "C" __global__ void histogram_global(const unsigned *in, unsigned *bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
}

extern "C" __global__ void histogram_private(const unsigned *in, unsigned *bins, int n) {
  __shared__ unsigned mine[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], mine[i]);
}

// Sum of everything: an atomic addition a thread, a warp, a block.
extern "C" __global__ void sum_thread(const float *in, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, in[i]);
}

__device__ float sum_of_warp(float x) {
  for (int s = 16; s > 0; s >>= 1) x += __shfl_down_sync(0xffffffffu, x, s);
  return x;
}

extern "C" __global__ void sum_warp(const float *in, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = sum_of_warp(i < n ? in[i] : 0.0f);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, x);
}

extern "C" __global__ void sum_block(const float *in, float *sum, int n) {
  __shared__ float part[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = sum_of_warp(i < n ? in[i] : 0.0f);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  x = sum_of_warp(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.0f);
  if (threadIdx.x == 0) atomicAdd(sum, x);
}

// Softmax of rows by five kernels, as an eager framework does it, and by one.
__device__ float of_block(float x, bool largest) {
  __shared__ float part[32];
  for (int s = 16; s > 0; s >>= 1) {
    float other = __shfl_xor_sync(0xffffffffu, x, s);
    x = largest ? fmaxf(x, other) : x + other;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
  __syncthreads();
  x = part[threadIdx.x % (blockDim.x / 32)];
  for (int s = 16; s > 0; s >>= 1) {
    float other = __shfl_xor_sync(0xffffffffu, x, s);
    x = largest ? fmaxf(x, other) : x + (s < blockDim.x / 32 ? other : 0.0f);
  }
  return x;
}

extern "C" __global__ void rows_largest(const float *in, float *out, int columns) {
  float most = -1e30f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) most = fmaxf(most, in[blockIdx.x * columns + i]);
  most = of_block(most, true);
  if (threadIdx.x == 0) out[blockIdx.x] = most;
}

extern "C" __global__ void rows_less(const float *in, const float *row, float *out, int columns) {
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = in[blockIdx.x * columns + i] - row[blockIdx.x];
}

extern "C" __global__ void elements_exp(const float *in, float *out, int columns) {
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = __expf(in[blockIdx.x * columns + i]);
}

extern "C" __global__ void rows_sum(const float *in, float *out, int columns) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += in[blockIdx.x * columns + i];
  sum = of_block(sum, false);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

extern "C" __global__ void rows_divided(const float *in, const float *row, float *out, int columns) {
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = __fdividef(in[blockIdx.x * columns + i], row[blockIdx.x]);
}

// A row of 2,048 lies in registers, eight elements a thread.
extern "C" __global__ void softmax_fused(const float *in, float *out, int columns) {
  float mine[8], most = -1e30f, sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) most = fmaxf(most, mine[k] = in[blockIdx.x * columns + threadIdx.x + k * 256]);
  most = of_block(most, true);
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += mine[k] = __expf(mine[k] - most);
  sum = of_block(sum, false);
#pragma unroll
  for (int k = 0; k < 8; ++k) out[blockIdx.x * columns + threadIdx.x + k * 256] = __fdividef(mine[k], sum);
}

// y = M x of a matrix with 32 entries a row: a thread a row, a warp a row, and a thread a row with the entries
// laid out column by column.
extern "C" __global__ void sparse_thread(const int *columns, const float *values, const float *x, float *y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < 32; ++k) sum += values[row * 32 + k] * x[columns[row * 32 + k]];
  y[row] = sum;
}

extern "C" __global__ void sparse_warp(const int *columns, const float *values, const float *x, float *y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = sum_of_warp(values[row * 32 + lane] * x[columns[row * 32 + lane]]);
  if (lane == 0) y[row] = sum;
}

extern "C" __global__ void sparse_columns(const int *columns, const float *values, const float *x, float *y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < 32; ++k) sum += values[k * rows + row] * x[columns[k * rows + row]];
  y[row] = sum;
}

// Lanes of a warp that go different ways, and warps that do.
__device__ float long_way(float x, int rounds) {
  for (int k = 0; k < rounds; ++k) x = x * 1.0001f + 0.5f;
  return x;
}

extern "C" __global__ void ways_of_lanes(float *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i;
  if (i % 2 == 0) x = long_way(x, rounds);
  else x = long_way(x + 1.0f, rounds + 1) * 2.0f;
  out[i] = x;
}

extern "C" __global__ void ways_of_warps(float *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i;
  if (i / 32 % 2 == 0) x = long_way(x, rounds);
  else x = long_way(x + 1.0f, rounds + 1) * 2.0f;
  out[i] = x;
}
