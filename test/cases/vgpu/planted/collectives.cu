#include "planted.cuh"

// Half of a warp waits at a barrier of its own while the other half is at the next one already.
//: divergent-barrier | grid 1 | block 32 | x = int[32] ramp | y = int[32]
KERNEL barrier_in_a_branch(const int* x, int* y) {
  __shared__ int tile[32];
  int t = threadIdx.x;
  tile[t] = x[t];
  FIX(__syncthreads();)
  if (t < 16) {
#ifndef FIXED
    __syncthreads();  // BUG
#endif
    tile[t] += 100;
  }
  __syncthreads();
  y[t] = tile[31 - t];
}

// Threads of one warp walk the loop with the barrier a different number of times.
//: divergent-barrier | grid 1 | block 32 | x = int[1024] ramp | y = int[32]
KERNEL barrier_in_an_uneven_loop(const int* x, int* y) {
  __shared__ int turn[32];
  int t = threadIdx.x;
  int sum = 0;
  for (int step = 0; step < PICK(t + 1, 32); ++step) {
    turn[t] = x[32 * step + t];
    __syncthreads();  // BUG
    if (t >= step) sum += turn[t];
  }
  y[t] = sum;
}

// One warp of the block never comes to the barrier that the others wait at: they wait for ever.
//: barrier-deadlock | grid 1 | block 96 | x = int[96] ramp | y = int[96]
KERNEL barrier_of_all_but_one_warp(const int* x, int* y) {
  __shared__ int tile[96];
  int t = threadIdx.x;
  tile[t] = x[t];
  if (PICK(t < 64, true)) {
    __syncthreads();  // BUG
  } else {
    asm volatile("barrier.sync 2, 64;");
  }
  y[t] = tile[95 - t];
}

// The producer announces 32 threads where the consumer waits for 96.
//: barrier-deadlock | grid 1 | block 64 | x = int[32] ramp | y = int[32]
KERNEL named_barrier_wrong_count(const int* x, int* y) {
  __shared__ int tile[32];
  int t = threadIdx.x;
  if (t < 32) {
    tile[t] = x[t];
    asm volatile("barrier.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("barrier.sync 1, %0;" ::"n"(PICK(96, 64)) : "memory");  // BUG
    y[t - 32] = tile[63 - t];
  }
}

// The two sides of a named barrier do not name the same one.
//: barrier-deadlock | grid 1 | block 64 | x = int[32] ramp | y = int[32]
KERNEL named_barrier_wrong_number(const int* x, int* y) {
  __shared__ int tile[32];
  int t = threadIdx.x;
  if (t < 32) {
    tile[t] = x[t];
    asm volatile("barrier.arrive %0, 64;" ::"n"(PICK(2, 1)) : "memory");
  } else {
    asm volatile("barrier.sync 1, 64;" ::: "memory");  // BUG
    y[t - 32] = tile[63 - t];
  }
}

// Sixteen lanes shuffle, but the mask expects all 32, of which the others wait elsewhere.
//: illegal-shuffle-mask | grid 1 | block 32 | x = int[32] ramp | y = int[32]
KERNEL shuffle_in_a_branch(const int* x, int* y) {
  int t = threadIdx.x;
  int value = x[t];
  if (t < 16) {
    value += __shfl_down_sync(PICK(0xffffffffu, 0x0000ffffu), value, 8, 16);  // BUG
  }
  __syncwarp();
  y[t] = value;
}

// A lane shuffles under a mask that leaves it out.
//: illegal-shuffle-mask | grid 1 | block 32 | x = int[32] ramp | y = int[32]
KERNEL shuffle_mask_without_itself(const int* x, int* y) {
  int t = threadIdx.x;
  y[t] = __shfl_xor_sync(PICK(0x0000ffffu, 0xffffffffu), x[t], 1);  // BUG
}

// The lanes behind the end have returned, and the sum still takes their values.
//: undefined-shuffle | grid 1 | block 32 | x = int[20] ramp | y = int[1] | n = 20
KERNEL shuffle_with_exited_lanes(const int* x, int* y, int n) {
  int t = threadIdx.x;
#ifdef FIXED
  int value = t < n ? x[t] : 0;
#else
  if (t >= n) return;
  int value = x[t];
#endif
  for (int step = 16; step > 0; step /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, step);  // BUG
  }
  if (t == 0) y[0] = value;
}

// The warps' parts are added up by eight lanes, of which some take a value of lanes that do not take part.
//: inactive-shuffle | grid 1 | block 32 | x = int[32] ramp | y = int[8]
KERNEL shuffle_from_lanes_beside(const int* x, int* y) {
  int t = threadIdx.x;
  if (t < 8) {
    int value = x[t];
    for (int step = 4; step > 0; step /= 2) {
      value += __shfl_down_sync(0xffu, value, step, PICK(32, 8));  // BUG
    }
    y[t] = value;
  }
}

// A vote of the lanes that have work, announced as a vote of all.
//: illegal-shuffle-mask | grid 1 | block 32 | x = int[32] mixed | y = int[32] zero
KERNEL vote_of_some_lanes(const int* x, int* y) {
  int t = threadIdx.x;
  unsigned odd = __ballot_sync(0xffffffffu, x[t] & 1);
  if (x[t] & 1) {
    y[t] = __popc(__ballot_sync(PICK(0xffffffffu, odd), x[t] > 50));  // BUG
  }
  __syncthreads();
}

// Lanes of two groups synchronise under one mask, each within its own branch.
//: illegal-shuffle-mask | grid 1 | block 32 | x = int[32] ramp | y = int[32]
KERNEL warp_barrier_in_two_groups(const int* x, int* y) {
  __shared__ volatile int tile[32];
  int t = threadIdx.x;
  if (t < 12) {
    tile[t] = 2 * x[t];
    __syncwarp(PICK(0xffffffffu, 0x00000fffu));  // BUG
    y[t] = tile[11 - t];
  } else {
    y[t] = x[t];
  }
  __syncwarp();
}

// 2,048 threads a block.
//: invalid-launch | grid 1 | block 2048 -> 1024 | y = int[2048] zero
KERNEL too_many_threads(int* y) {
  y[threadIdx.x] = 1;
}

// 64 × 32 threads: each axis is within its limit, their product is not.
//: invalid-launch | grid 1 | block 64,32 -> 32,32 | y = int[2048] zero
KERNEL too_many_threads_together(int* y) {
  y[threadIdx.y * blockDim.x + threadIdx.x] = 1;
}

// More shared memory than any GPU has.
//: invalid-launch | grid 1 | block 32 | shared 300000 -> 4096 | y = int[32]
KERNEL too_much_shared_memory(int* y) {
  extern __shared__ int slots[];
  slots[threadIdx.x] = threadIdx.x;
  y[threadIdx.x] = slots[threadIdx.x];
}

// The long axis of the problem lies on the grid's short one.
//: invalid-launch | grid 1,65536 -> 65536,1 | block 1 | y = int[65536]
KERNEL grid_too_high(int* y) {
  y[blockIdx.y * gridDim.x + blockIdx.x] = 1;
}

// The kernel was compiled for blocks of at most 128 threads.
//: invalid-launch | grid 1 | block 256 -> 128 | y = int[256] zero
KERNEL __launch_bounds__(128) beyond_its_launch_bound(int* y) {
  y[threadIdx.x] = 1;
}

// Nothing to do makes an empty grid, which is no launch.
//: invalid-launch | grid 0 -> 1 | block 32 | y = int[32] zero
KERNEL empty_grid(int* y) {
  y[threadIdx.x] = 1;
}

// The halves of a warp come to one barrier in two branches: only the barrier that asks for no aligned warp allows that.
//: divergent-barrier | grid 1 | block 64 | x = int[64] ramp | y = int[64]
KERNEL aligned_barrier_in_both_branches(const int* x, int* y) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  if (t % 32 < 16) {
    tile[t] = x[t];
    asm volatile(PICK("bar.sync 4, 64;", "barrier.sync 4, 64;") " // first" ::: "memory");  // BUG
  } else {
    tile[t] = 100 + x[t];
    asm volatile(PICK("bar.sync 4, 64;", "barrier.sync 4, 64;") " // second" ::: "memory");
  }
  y[t] = tile[63 - t];
}
