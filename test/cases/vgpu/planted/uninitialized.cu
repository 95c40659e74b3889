#include "planted.cuh"

// Accumulates into memory that nobody set to zero.
//: uninitialized-read | grid 1 | block 64 | x = int[64] ramp | y = int[64]
KERNEL fresh_accumulator(const int* x, int* y) {
  int i = threadIdx.x;
  FIX(y[i] = 0;)
  y[i] += x[i];  // BUG
}

// Adds atomically to a total that nobody set to zero.
//: uninitialized-read | grid 1 | block 64 | x = int[64] ramp | total = int[1]
KERNEL fresh_atomic_total(const int* x, int* total) {
  FIX(if (threadIdx.x == 0) *total = 0; __syncthreads();)
  atomicAdd(total, x[threadIdx.x]);  // BUG
}

// Counts in shared bins that hold whatever the last block left there.
//: uninitialized-read | grid 2 | block 64 | x = int[128] mixed | bins = int[16] zero
KERNEL fresh_shared_bins(const int* x, int* bins) {
  __shared__ int local[16];
  FIX(if (threadIdx.x < 16) local[threadIdx.x] = 0;)
  __syncthreads();
  atomicAdd(&local[x[blockIdx.x * 64 + threadIdx.x] & 15], 1);  // BUG
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

// The threads behind the end leave their place in the tile as it is.
//: uninitialized-read | grid 2 | block 64 | x = int[100] ramp | sums = int[2] | n = 100
KERNEL tail_of_a_tile(const int* x, int* sums, int n) {
  __shared__ int tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) tile[threadIdx.x] = x[i];
  FIX(else tile[threadIdx.x] = 0;)
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int at = 0; at < 64; ++at) {
      sum += tile[at];  // BUG
    }
    sums[blockIdx.x] = sum;
  }
}

// The halo's right side is never loaded.
//: uninitialized-read | grid 1 | block 64 | x = int[66] ramp | y = int[64]
KERNEL halo_not_loaded(const int* x, int* y) {
  __shared__ int tile[66];
  int t = threadIdx.x;
  tile[t + 1] = x[t + 1];
  if (t == 0) tile[0] = x[0];
  FIX(if (t == 63) tile[65] = x[65];)
  __syncthreads();
  y[t] = tile[t] + tile[t + 2];  // BUG
}

// Three of four components are stored, four are loaded.
//: uninitialized-read | grid 1 | block 32 | work = float[128] | y = float[32]
KERNEL fourth_component(float* work, float* y) {
  int t = threadIdx.x;
  float* mine = work + 4 * t;
  mine[0] = t;
  mine[1] = 2.0f * t;
  mine[2] = 3.0f * t;
  FIX(mine[3] = 0.0f;)
  __syncthreads();
  float4 v = reinterpret_cast<const float4*>(work)[31 - t];  // BUG
  y[t] = v.x + v.y + v.z + v.w;
}

// A list with room for all, of which only the kept ones were written.
//: uninitialized-read | grid 1 | block 64 | x = int[64] mixed | kept = int[64] | y = int[65] zero
KERNEL list_read_to_its_room(const int* x, int* kept, int* y) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  int value = x[threadIdx.x];
  if (value & 1) kept[atomicAdd(&count, 1)] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int at = 0; at < PICK(64, count); ++at) {
      sum += kept[at];  // BUG
    }
    y[0] = sum;
  }
}

// The last partial sum belongs to a warp that the block does not have.
//: uninitialized-read | grid 1 | block 96 | x = int[96] ramp | y = int[1]
KERNEL partial_of_no_warp(const int* x, int* y) {
  __shared__ int partial[4];
  int sum = __reduce_add_sync(0xffffffffu, x[threadIdx.x]);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    int total = 0;
    for (int warp = 0; warp < PICK(4, blockDim.x / 32); ++warp) {
      total += partial[warp];  // BUG
    }
    y[0] = total;
  }
}
