#include "planted.cuh"

// All blocks add to one total, each on its own reading of it.
//: global-race | grid 4 | block 32 | x = int[128] ramp | total = int[1] zero
KERNEL blocks_add_plainly(const int* x, int* total) {
  int sum = __reduce_add_sync(0xffffffffu, x[blockIdx.x * 32 + threadIdx.x]);
  if (threadIdx.x == 0) {
#ifdef FIXED
    atomicAdd(total, sum);
#else
    total[0] += sum;  // BUG
#endif
  }
}

// Reads what the next block of the same launch stores.
//: global-race | grid 4 | block 32 | x = int[128] ramp | work = int[128] zero | y = int[128]
KERNEL exchange_between_blocks(const int* x, int* work, int* y) {
  int i = blockIdx.x * 32 + threadIdx.x;
  int next = (i + 1) % 128;
  work[i] = 2 * x[i];  // OTHER
  __syncthreads();
#ifdef FIXED
  y[i] = 2 * x[next];
#else
  y[i] = work[next];  // BUG
#endif
}

// A stencil that overwrites what its neighbours read.
//: global-race | grid 2 | block 64 | x = int[130] ramp | y = int[130] zero
KERNEL stencil_in_place(int* x, int* y) {
  int i = blockIdx.x * 64 + threadIdx.x + 1;
  int* to = PICK(x, y);
  to[i] = x[i - 1] + x[i] + x[i + 1];  // BUG
}

__device__ unsigned int blocks_done_plain;

// The last block to finish adds up what the others left; their stores are not known to have arrived.
//: global-race | grid 4 | block 32 | x = int[128] ramp | partial = int[4] | y = int[1]
KERNEL last_block_without_fence(const int* x, int* partial, int* y) {
  int sum = __reduce_add_sync(0xffffffffu, x[blockIdx.x * 32 + threadIdx.x]);
  bool is_last = false;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;  // OTHER
    FIX(__threadfence();)
    is_last = atomicInc(&blocks_done_plain, gridDim.x - 1) == gridDim.x - 1;
  }
  if (is_last) {
    __threadfence();
    int total = 0;
    for (int block = 0; block < gridDim.x; ++block) {
      total += partial[block];  // BUG
    }
    y[0] = total;
    // The counter is ready for the next launch; every count came before this block's own.
    FIX(blocks_done_plain = 0;)
  }
}

__device__ unsigned int blocks_done_guide;

// The same with the whole last block reading, and with a fence that reaches no other block.
//: global-race | grid 4 | block 64 | x = int[256] ramp | partial = int[256] | y = int[64]
KERNEL last_block_with_a_narrow_fence(const int* x, int* partial, int* y) {
  __shared__ bool is_last;
  int t = threadIdx.x;
  partial[blockIdx.x * 64 + t] = x[blockIdx.x * 64 + t];  // OTHER
  PICK(__threadfence_block(), __threadfence());
  __syncthreads();
  if (t == 0) is_last = atomicAdd(&blocks_done_guide, 1u) == gridDim.x - 1;
  __syncthreads();
  if (is_last) {
    __threadfence();
    int total = 0;
    for (int block = 0; block < gridDim.x; ++block) {
      total += partial[block * 64 + t];  // BUG
    }
    y[t] = total;
    FIX(if (t == 0) blocks_done_guide = 0;)
  }
}

// A flag says that the data are there, but nothing orders the two stores.
//: global-race | grid 2 | block 32 | x = int[32] ramp | data = int[32] zero | flag = int[1] zero | y = int[32]
KERNEL flag_without_release(const int* x, int* data, volatile int* flag, int* y) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = x[t];  // OTHER
    FIX(__threadfence();)
    __syncthreads();
    if (t == 0) *flag = 1;
  } else {
    if (t == 0) {
      while (*flag == 0) {}
    }
    __syncthreads();
    __threadfence();
    y[t] = data[31 - t];  // BUG
  }
}

// The flag is set with release, but read by a load that acquires nothing.
//: global-race | grid 2 | block 1 | x = int[1] ones | data = int[1] zero | flag = int[1] zero | y = int[1]
KERNEL flag_without_acquire(const int* x, int* data, int* flag, int* y) {
  if (blockIdx.x == 0) {
    *data = *x + 41;  // OTHER
    asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
  } else {
    int seen;
    do {
#ifdef FIXED
      asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
#else
      asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
#endif
    } while (seen == 0);
    *y = *data;  // BUG
  }
}

// Warps of one block exchange through global memory without a barrier.
//: global-race | grid 1 | block 64 | x = int[64] ramp | work = int[64] zero | y = int[64]
KERNEL exchange_between_warps(const int* x, int* work, int* y) {
  int t = threadIdx.x;
  work[t] = 3 * x[t];  // OTHER
  FIX(__syncthreads();)
  y[t] = work[63 - t];  // BUG
}

// A lock that is given back before the counter's store has arrived.
//: global-race | grid 4 | block 32 | lock = int[1] zero | counter = int[1] zero
KERNEL lock_without_fence(int* lock, int* counter) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *counter = *counter + 1;  // BUG
    FIX(__threadfence();)
    atomicExch(lock, 0);
  }
}

// The first block clears the counter that the others count on already.
//: global-race | grid 4 | block 32 | count = int[1] zero
KERNEL clear_beside_counting(int* count) {
#ifndef FIXED
  if (blockIdx.x == 0 && threadIdx.x == 0) *count = 0;  // OTHER
#endif
  atomicAdd(count, 1);  // BUG
}

// The flag and what it stands for are volatile, but nothing orders the two stores.
//: global-race | grid 2 | block 1 | x = int[1] ones | data = int[1] zero | flag = int[1] zero | y = int[1]
KERNEL volatile_value_behind_flag(const int* x, volatile int* data, volatile int* flag, int* y) {
  if (blockIdx.x == 0) {
#ifndef FIXED
    *flag = 1;
#endif
    *data = *x + 41;  // OTHER
    FIX(__threadfence();)
    FIX(*flag = 1;)
  } else {
    while (*flag == 0) {
    }
    *y = *data;  // BUG
  }
}

// Each block takes the sum of those before it without waiting until it is there.
//: global-race | grid 4 | block 32 | x = int[128] ramp | prefix = int[5] zero | ready = int[5] zero | y = int[128]
KERNEL look_back_without_waiting(const int* x, int* prefix, volatile int* ready, int* y) {
  int block = blockIdx.x;
  int lane = threadIdx.x;
  int value = x[block * 32 + lane];
  int total = __reduce_add_sync(0xffffffffu, value);
  int before = 0;
  if (lane == 0 && block > 0) {
    FIX(while (ready[block] == 0) {})
    FIX(__threadfence();)
    before = prefix[block];  // BUG
  }
  if (lane == 0) {
    prefix[block + 1] = before + total;  // OTHER
    __threadfence();
    ready[block + 1] = 1;
  }
  y[block * 32 + lane] = __shfl_sync(0xffffffffu, before, 0) + value;
}

// Counts of all blocks in one histogram, without atomics.
//: global-race | grid 2 | block 32 | x = int[64] mixed | bins = int[8] zero
KERNEL histogram_of_blocks(const int* x, int* bins) {
  int bin = x[blockIdx.x * 32 + threadIdx.x] & 7;
#ifdef FIXED
  atomicAdd(&bins[bin], 1);
#else
  bins[bin] += 1;  // BUG
#endif
}

// Blocks of 64 that lie 60 apart store different values to the places they share.
//: global-race | grid 3 | block 64 | y = int[192] zero
KERNEL blocks_overlap(int* y) {
  int i = blockIdx.x * PICK(60, 64) + threadIdx.x;
  y[i] = 1000 * blockIdx.x + threadIdx.x;  // BUG
}

// Neighbours set their bits in one byte; a byte for each would be fine.
//: global-race | grid 1 | block 64 | x = int[64] mixed | marks = char[64] zero
KERNEL bits_of_one_byte(const int* x, unsigned char* marks) {
  int t = threadIdx.x;
  if (x[t] & 1) {
#ifdef FIXED
    marks[t] = 1;
#else
    marks[t / 8] |= 1 << (t % 8);  // BUG
#endif
  }
}

// Compares with the best so far and then stores: another may have stored a better one in between.
//: global-race | grid 4 | block 16 | x = int[64] mixed | best = int[1] zero
KERNEL maximum_without_atomics(const int* x, int* best) {
  int value = x[blockIdx.x * 16 + threadIdx.x];
#ifdef FIXED
  atomicMax(best, value);
#else
  if (value > *best) *best = value;  // BUG
#endif
}

// An atomic that is one within its block only.
//: global-race | grid 4 | block 32 | total = int[1] zero
KERNEL atomic_of_one_block(int* total) {
#ifdef FIXED
  atomicAdd(total, 1);
#else
  atomicAdd_block(total, 1);  // BUG
#endif
}

// Every block writes the shared header; the same value from all would be fine.
//: global-race | grid 4 | block 32 | header = int[2] zero | y = int[128]
KERNEL header_of_every_block(int* header, int* y) {
  if (threadIdx.x == 0) {
    header[0] = PICK(blockIdx.x, gridDim.x);  // BUG
  }
  y[blockIdx.x * 32 + threadIdx.x] = blockIdx.x;
}

// A column sum per warp of which two warps store the same column.
//: global-race | grid 1 | block 64 | x = int[64] ramp | y = int[64] zero
KERNEL warps_share_a_column(const int* x, int* y) {
  int column = PICK(threadIdx.x % 32, threadIdx.x);
  y[column] = x[threadIdx.x];  // BUG
}

__device__ unsigned int blocks_done_read_only;

// The last block reads what the others have left by the path for data that nobody writes.
//: global-race | grid 4 | block 32 | x = int[128] ramp | partial = int[4] | y = int[1]
KERNEL last_block_reads_only(const int* x, int* partial, int* y) {
  int sum = __reduce_add_sync(0xffffffffu, x[blockIdx.x * 32 + threadIdx.x]);
  bool is_last = false;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;  // OTHER
    __threadfence();
    is_last = atomicInc(&blocks_done_read_only, gridDim.x - 1) == gridDim.x - 1;
  }
  if (is_last) {
    __threadfence();
    int total = 0;
    for (int block = 0; block < gridDim.x; ++block) {
#ifdef FIXED
      total += partial[block];
#else
      total += __ldg(partial + block);  // BUG
#endif
    }
    y[0] = total;
    blocks_done_read_only = 0;
  }
}
