#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;

// Ways through machine code that a simulation has to take as often as they were counted.

// A row by a block: every thread leaves before its loop or goes around it several times.
extern "C" __global__ void row_walk(const float *in, const float *row, float *out, int columns) {
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = in[blockIdx.x * columns + i] - row[blockIdx.x];
}

__device__ float long_way(float x, int rounds) {
  for (int k = 0; k < rounds; ++k) x = x * 1.0001f + 0.5f;
  return x;
}

// The lanes of each warp go two ways, or all of them one of two.
extern "C" __global__ void two_ways(const float *in, float *out, int rounds, int lanes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  if (i / lanes % 2 == 0) x = long_way(x, rounds);
  else x = long_way(x + 1.0f, rounds + 1) * 2.0f;
  out[i] = x;
}

// Both ways end the kernel: lanes that part never come together again.
extern "C" __global__ void two_ends(const float *in, float *out, int lanes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  if (i / lanes % 2 == 0) {
    for (int k = 0; k < 8; ++k) x = x * 0.5f + sinf(x);
    out[i] = x;
  } else {
    for (int k = 0; k < 8; ++k) x = x * 0.25f + cosf(x);
    out[i] = x;
  }
}

// Powers with ways of their own for special numbers: what runs second has a first way.
extern "C" __global__ void two_powers(const float *in, float *out, float power) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i] + 0.25f * (i % 7);
  float v = x <= 0.0031f ? x * 12.92f : 1.055f * powf(x, power) - 0.055f;
  out[i] = v + 0.1f * powf(fabsf(v), power * 0.7f);
}

// The machine code has a loop of its own for rows without columns, and has it first.
extern "C" __global__ void rows_in_turn(const float *in, const float *factors, float *out, int rows, int columns) {
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
    float sum = 0.0f, most = -1e30f;
    for (int k = 0; k < columns; ++k) {
      float part = factors[k] * in[row * columns + k] + 0.5f * factors[k + 1] * in[row * columns + k];
      sum -= part;
      most = fmaxf(most, -part);
    }
    out[row] = sum;
    out[rows + row] = most;
  }
}

__noinline__ __device__ float called_way(float x, int rounds) {
  for (int k = 0; k < rounds; ++k) x = x * 1.0001f + 0.5f;
  return x;
}

// Work in a function of its own, called from two places.
extern "C" __global__ void two_calls(const float *in, float *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = called_way(called_way(in[i], rounds) * 0.25f, rounds);
}

// Words to the lanes' own lines, `apart` of them, or to neighbouring ones.
extern "C" __global__ void stores_apart(float *out, int apart) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 16; ++k) out[k * 65536 + (i % apart) * 1024 + i / apart] = i;
}

// Additions of every thread to one address.
extern "C" __global__ void one_sum_float(float *sum) { atomicAdd(sum, threadIdx.x * 0.5f); }
// The assembler does not know that the address is one.
extern "C" __global__ void one_sum_integer(unsigned *sum) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sum[i >> 24], threadIdx.x * 3u);
}
// Here it does, and adds up what the lanes of a warp have.
extern "C" __global__ void joined_sum(unsigned *sum) { atomicAdd(sum, threadIdx.x * 3u); }
extern "C" __global__ void joined_count(const unsigned *in, unsigned *sum) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] == 0u) atomicAdd(sum, 1u);
}
template <unsigned amount>
__device__ void shared_counts(const unsigned *in, unsigned *out, int rounds) {
  __shared__ unsigned bins[32];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  __syncthreads();
  unsigned bin = in[threadIdx.x] & 31u;
  for (int r = 0; r < rounds; ++r) atomicAdd(&bins[bin], amount);
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}
extern "C" __global__ void shared_ones(const unsigned *in, unsigned *out, int rounds) { shared_counts<1>(in, out, rounds); }
extern "C" __global__ void shared_threes(const unsigned *in, unsigned *out, int rounds) { shared_counts<3>(in, out, rounds); }
extern "C" __global__ void sum_joined_by_hand(unsigned *sum) {
  unsigned all = __reduce_add_sync(0xffffffffu, threadIdx.x * 3u);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, all);
}

extern "C" __global__ void nothing_much(float *out) {
  if (blockIdx.x == 0) out[threadIdx.x] = 1.0f;
}

// Fragments of a matrix in shared memory whose rows lie so many halves apart.
template <int pitch>
__device__ void fragments(float *out, int rounds) {
  __shared__ half rows[16][pitch];
  for (int i = threadIdx.x; i < 16 * pitch; i += blockDim.x) rows[i / pitch][i % pitch] = __float2half(0.5f);
  __syncthreads();
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int round = 0; round < rounds; ++round) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
    wmma::load_matrix_sync(left, &rows[0][round % 8 * 8], pitch);
    wmma::load_matrix_sync(right, &rows[0][round % 8 * 8], pitch);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync((half *)out, sum, 16, wmma::mem_row_major);
}

extern "C" __global__ void fragments_128(float *out, int rounds) { fragments<128>(out, rounds); }
extern "C" __global__ void fragments_136(float *out, int rounds) { fragments<136>(out, rounds); }

// 256 words of local memory a thread, of which `mask` + 1 are used.
extern "C" __global__ void local_words(float *out, int rounds, int mask) {
  float words[256];
  for (int i = 0; i < 256; ++i) words[i] = 0.0f;
  float sum = 0.0f;
  for (int round = 0; round < rounds; ++round) {
    int at = (round * 37 + threadIdx.x) & mask;
    words[at] += 1.0f;
    sum += words[(at * 5) & mask];
  }
  out[threadIdx.x] = sum;
}

// Words of every lane's own line, or of neighbours, to shared memory.
extern "C" __global__ void copied_words(const float *in, int apart) {
  __shared__ float words[256];
  for (int k = 0; k < 16; ++k) {
    __pipeline_memcpy_async(&words[threadIdx.x], in + (k * 65536 + (blockIdx.x % 4 * 256 + threadIdx.x) * apart) % 1000000, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
}

// Tiles that the blocks take in turn, as long as there are any.
extern "C" __global__ void dealt_tiles(const float *in, float *out, int tiles, int rounds) {
  __shared__ float part[256];
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float sum = 0.0f;
    for (int round = 0; round < rounds; ++round) {
      part[threadIdx.x] = in[(tile * rounds + round) % 4096 * blockDim.x + threadIdx.x];
      __syncthreads();
      for (int k = 0; k < 8; ++k) sum += part[(threadIdx.x * 9 + k) % 256];
      __syncthreads();
    }
    out[tile * blockDim.x + threadIdx.x] = sum;
  }
}

// Each step waits for the one before; blocks lie `apart` steps from each other, and read the same with none.
extern "C" __global__ void steps_of_blocks(const float *x, float *y, long long steps, long long apart) {
  float sum = 0;
#pragma unroll 1
  for (long long step = 0; step < steps; step++)
    sum += x[(blockIdx.x * apart + step) * blockDim.x + threadIdx.x + (sum == 1.2345f)];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Eight copies of a loop, each of which waits for the one before.
extern "C" __global__ void eight_items(const float *x, float *y, long long lane, long long item) {
  float sum = 0;
  long long at = (blockIdx.x * blockDim.x + threadIdx.x) * lane;
#pragma unroll
  for (int k = 0; k < 8; k++) sum += x[at + k * item + (sum == 1.2345f)];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Sums at spread places and, of some, at one place.
extern "C" __global__ void two_sums(const float *in, float *spread, float *one, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  atomicAdd(&spread[i * 33 % 65536], x);
  if (x < 1.0f) atomicAdd(one, x);
}

// The same in two versions: only the lines of their calls tell their atomic operations apart.
extern "C" __global__ void two_sums_twice(const float *in, float *spread, float *one, int n) {
  if (n < 1 << 30) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    atomicAdd(&spread[i * 33 % 65536], x);
    if (x < 1.0f) atomicAdd(one, x);
    return;
  }
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 1 << 30) {
    float x = in[i];
    atomicAdd(&spread[i * 33 % 65536], x);
    if (x < 1.0f) atomicAdd(one, x);
  }
}

template <typename Index> __device__ void keep(const int *in, int *out, int *count, Index n) {
  for (Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (Index)gridDim.x * blockDim.x)
    if (in[i] < 1) out[atomicAdd(count, 1)] = i;
}

// One text that stands twice in the machine code, in loops of few instructions that are counted by hand.
extern "C" __global__ void kept_twice(const int *in, int *out, int *count, int n) {
  if (n < 1 << 30) keep<int>(in, out, count, n);
  else keep<long long>(in, out, count, n);
}

// Lanes with one number find each other; the machine code has a way of its own for lanes that are apart.
extern "C" __global__ void matched_counts(const int *in, int *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int value = in[i];
    unsigned alike = __match_any_sync(__activemask(), value);
    if ((threadIdx.x & 31) == __ffs(alike) - 1) atomicAdd(&out[value & 255], __popc(alike));
  }
}

// Rows of 64 numbers, a thread for each; threads behind the last row end at once.
extern "C" __global__ void few_rows(const float *in, float *out, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += in[row * 64 + k];
  out[row] = sum;
}

// State of each thread in shared memory; what it does in a turn is chosen by guards, and half of it never runs.
extern "C" __global__ void spikes(const float* drive, float* state, int* count, int cells, int turns) {
  __shared__ float level[256], rest[256];
  const int thread = threadIdx.x;
  const int cell = blockIdx.x * blockDim.x + thread;
  const bool active = cell < cells;
  level[thread] = active ? state[cell] : 0.0f;
  rest[thread] = 0.0f;
  int spiked = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const float in = active ? drive[(size_t)turn * cells + cell] : 0.0f;
    if (rest[thread] > 0.0f)
      rest[thread] -= 1.0f;
    else
      level[thread] = 0.25f + (level[thread] - 0.25f) * 0.75f + in;
    if (level[thread] >= 1.5f) {
      level[thread] = 0.0f;
      rest[thread] = 2.0f;
      ++spiked;
    }
  }
  if (active) {
    state[cell] = level[thread];
    count[cell] = spiked;
  }
}

// The same in registers: all that stands in a turn has guards, and what is loaded is rarely asked for.
extern "C" __global__ void rare_spikes(const float* drive, float* state, int* count, int cells, int turns) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  float level = state[cell], rest = 1000.0f;
  int spiked = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const float in = drive[(size_t)turn * cells + cell];
    if (rest > 0.0f)
      rest -= 1.0f;
    else
      level = 0.25f + (level - 0.25f) * 0.75f + in;
    if (level >= 1.5f) {
      level = 0.0f;
      rest = 2.0f;
      ++spiked;
    }
  }
  state[cell] = level;
  count[cell] = spiked;
}
