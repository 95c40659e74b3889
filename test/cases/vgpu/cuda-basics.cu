// Kernels of the virtual GPU's whole-program tests. Compiled by the test with nvcc -ptx -arch=sm_80 -lineinfo.
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_bf16.h>

extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__device__ float warp_max(float value) {
  for (int offset = 16; offset > 0; offset >>= 1) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

extern "C" __global__ void softmax_rows(const float* in, float* out, int columns) {
  __shared__ float partial[32];
  const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  float most = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) most = fmaxf(most, row[i]);
  most = warp_max(most);
  if (lane == 0) partial[warp] = most;
  __syncthreads();
  most = warp_max(lane < warps ? partial[lane] : -INFINITY);
  __syncthreads();
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += expf(row[i] - most);
  sum = warp_sum(sum);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = warp_sum(lane < warps ? partial[lane] : 0.0f);
    if (lane == 0) partial[0] = sum;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[static_cast<size_t>(blockIdx.x) * columns + i] = expf(row[i] - most) / partial[0];
}

extern "C" __global__ void transpose_padded(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

template <int TILE>
__device__ void matmul_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += TILE) {
    left[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void matmul_16(const float* a, const float* b, float* c, int n) { matmul_tiled<16>(a, b, c, n); }

// Divergence: each lane runs a loop of its own length, with an early return and a nested condition.
extern "C" __global__ void collatz(const unsigned* in, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned value = in[i], steps = 0;
  while (value != 1) {
    if (value & 1) value = 3 * value + 1;
    else value >>= 1;
    if (++steps > 1000) break;
  }
  out[i] = steps;
}

extern "C" __global__ void block_scan(const int* in, int* out, int n) {
  extern __shared__ int buffer[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  buffer[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < blockDim.x; offset <<= 1) {
    int value = threadIdx.x >= offset ? buffer[threadIdx.x - offset] : 0;
    __syncthreads();
    buffer[threadIdx.x] += value;
    __syncthreads();
  }
  if (i < n) out[i] = buffer[threadIdx.x];
}

extern "C" __global__ void atomics(const int* in, int* counts, float* total, unsigned long long* wide, int n) {
  __shared__ int local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&local[in[i] & 15], 1);
    atomicAdd(total, 0.25f * in[i]);
    atomicMax(wide, (unsigned long long)in[i] << 33);
    atomicCAS(&counts[16], 0, 77);
    atomicMin(&counts[17], -in[i]);
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}

extern "C" __global__ void halves(const __half2* a, const __half2* b, __half2* c, const __nv_bfloat16* d, __nv_bfloat16* e, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  c[i] = __hfma2(a[i], b[i], __hmax2(a[i], b[i]));
  e[i] = __float2bfloat16(__bfloat162float(d[i]) * 1.5f) - d[i];
}

struct Particle { float x, y, z; int kind; };

__constant__ float weights[4] = {0.5f, 1.0f, 2.0f, 4.0f};
__device__ int counter = 5;

extern "C" __global__ void structures(const Particle* in, Particle* out, float4* packed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle p = in[i];
  float w = weights[p.kind & 3];
  out[i] = Particle{p.x * w, p.y * w, p.z * w, p.kind + counter};
  packed[i] = make_float4(p.x, p.y, p.z, w);
}

extern "C" __global__ void math(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  out[0 * n + i] = sinf(x);
  out[1 * n + i] = cosf(x * 100000.0f);
  out[2 * n + i] = expf(x);
  out[3 * n + i] = logf(fabsf(x) + 0.001f);
  out[4 * n + i] = powf(fabsf(x), 1.7f);
  out[5 * n + i] = tanhf(x);
  out[6 * n + i] = erff(x);
  out[7 * n + i] = rsqrtf(fabsf(x) + 1.0f);
  out[8 * n + i] = fmodf(x, 0.7f);
  out[9 * n + i] = atan2f(x, 2.0f);
}

extern "C" __global__ void doubles(const double* a, const double* b, double* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  c[i] = fma(a[i], b[i], a[i]);
  c[n + i] = a[i] / b[i];
  c[2 * n + i] = sqrt(fabs(a[i]));
  c[3 * n + i] = exp(a[i]);
  c[4 * n + i] = sin(b[i]);
}

// A local array that is indexed at run time, 8-bit and 16-bit data, and 64-bit arithmetic.
extern "C" __global__ void integers(const int8_t* bytes, const uint16_t* words, int64_t* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int table[16];
  for (int k = 0; k < 16; k++) table[k] = bytes[(i + k) % n] * (k + 1);
  int64_t sum = 0;
  for (int k = 0; k < 16; k++) sum = sum * 31 + table[(words[i] + k) & 15];
  out[i] = sum / 7 + sum % 11 + __popcll(sum) + __clz(words[i]) + __brev(bytes[i]) + (int64_t)__mulhi((int)sum, 12345);
}

__device__ __noinline__ float helper(float x, int depth) { return x * depth + 1.0f; }

extern "C" __global__ void calls(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = helper(in[i], i & 3);
  switch (i & 7) {
    case 0: value += 1; break;
    case 1: value *= 2; break;
    case 2: value -= 3; break;
    case 3: value = helper(value, 5); break;
    case 4: value = -value; break;
    case 5: value = value * value; break;
    default: value = 0; break;
  }
  out[i] = value;
}

extern "C" __global__ void votes(const int* in, unsigned* out) {
  int value = in[threadIdx.x];
  unsigned ballot = __ballot_sync(0xffffffffu, value > 3);
  unsigned same = __match_any_sync(0xffffffffu, value);
  int predicate;
  unsigned all = __match_all_sync(0xffffffffu, value, &predicate);
  unsigned sum = __reduce_add_sync(0xffffffffu, (unsigned)value);
  int most = __reduce_max_sync(0xffffffffu, value);
  out[threadIdx.x] = ballot;
  out[32 + threadIdx.x] = same;
  out[64 + threadIdx.x] = all * 2 + predicate;
  out[96 + threadIdx.x] = sum;
  out[128 + threadIdx.x] = most;
  out[160 + threadIdx.x] = __any_sync(0xffffffffu, value == 7) + 2 * __all_sync(0xffffffffu, value >= 0);
  if (threadIdx.x & 1) {
    out[192 + threadIdx.x] = __activemask();
    out[192 + threadIdx.x] += __shfl_xor_sync(0xaaaaaaaau, value, 2);
  } else {
    out[192 + threadIdx.x] = __shfl_sync(0x55555555u, value, 4);
  }
}
