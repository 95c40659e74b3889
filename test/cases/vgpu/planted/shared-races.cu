#include "planted.cuh"

// Reads what other threads put into the tile without waiting for them.
//: shared-race | grid 1 | block 64 | x = int[64] ramp | y = int[64]
KERNEL tile_read_too_early(const int* x, int* y) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = x[t];  // OTHER
  FIX(__syncthreads();)
  y[t] = tile[63 - t];  // BUG
}

// The next piece overwrites the tile while slower warps still read the last one.
//: shared-race | grid 1 | block 64 | x = int[256] ramp | y = int[64]
KERNEL tile_overwritten_too_early(const int* x, int* y) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  int sum = 0;
  for (int piece = 0; piece < 4; ++piece) {
    tile[t] = x[64 * piece + t];  // BUG
    __syncthreads();
    sum += tile[63 - t];  // OTHER
    FIX(__syncthreads();)
  }
  y[t] = sum;
}

// A tree reduction whose steps do not wait for each other.
//: shared-race | grid 1 | block 128 | x = int[128] ramp | y = int[1]
KERNEL reduction_without_barriers(const int* x, int* y) {
  __shared__ int tile[128];
  int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (t < step) {
      tile[t] += tile[t + step];  // BUG
    }
    FIX(__syncthreads();)
  }
  if (t == 0) y[0] = tile[0];
}

// The last 32 threads rely on running in lockstep, which no GPU since Volta promises.
//: shared-race | grid 1 | block 32 | x = int[32] ramp | y = int[1]
KERNEL reduction_in_supposed_lockstep(const int* x, int* y) {
  __shared__ volatile int tile[32];
  int t = threadIdx.x;
  tile[t] = x[t];
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    if (t < step) {
      tile[t] = tile[t] + tile[t + step];  // BUG
    }
    FIX(__syncwarp();)
  }
  if (t == 0) y[0] = tile[0];
}

// Two lanes store different values to one word.
//: shared-race | grid 1 | block 32 | x = int[32] ramp | y = int[32]
KERNEL two_lanes_one_word(const int* x, int* y) {
  __shared__ int tile[16];
  int t = threadIdx.x;
  if (PICK(true, t % 2 == 1)) {
    tile[t / 2] = x[t];  // BUG
  }
  __syncthreads();
  y[t] = tile[t / 2];
}

// One thread sets the counter to zero while others count already.
//: shared-race | grid 1 | block 64 | x = int[64] mixed | y = int[1]
KERNEL counter_reset_beside_atomics(const int* x, int* y) {
  __shared__ int count;
  int t = threadIdx.x;
  if (t == 0) count = 0;  // OTHER
  FIX(__syncthreads();)
  if (x[t] > 50) {
    atomicAdd(&count, 1);  // BUG
  }
  __syncthreads();
  if (t == 0) y[0] = count;
}

// One thread takes the result while others still count.
//: shared-race | grid 1 | block 64 | x = int[64] mixed | y = int[1]
KERNEL counter_read_beside_atomics(const int* x, int* y) {
  __shared__ int count;
  int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, x[t] & 1);  // OTHER
  FIX(__syncthreads();)
  if (t == 63) {
    y[0] = count;  // BUG
  }
}

// Counts without atomics.
//: shared-race | grid 1 | block 64 | x = int[64] mixed | y = int[16]
KERNEL histogram_without_atomics(const int* x, int* y) {
  __shared__ int bins[16];
  int t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  __syncthreads();
#ifdef FIXED
  atomicAdd(&bins[x[t] & 15], 1);
#else
  bins[x[t] & 15] += 1;  // BUG
#endif
  __syncthreads();
  if (t < 16) y[t] = bins[t];
}

// The bins are counted in before all of them are zero.
//: shared-race | grid 1 | block 64 | x = int[64] mixed | y = int[16]
KERNEL histogram_before_all_are_zero(const int* x, int* y) {
  __shared__ int bins[16];
  int t = threadIdx.x;
  if (t < 16) bins[t] = 0;  // OTHER
  FIX(__syncthreads();)
  atomicAdd(&bins[x[t] & 15], 1);  // BUG
  __syncthreads();
  if (t < 16) y[t] = bins[t];
}

// Three pieces are in flight, but there is room for two: the load goes where the others still read.
//: shared-race | grid 1 | block 64 | x = int[384] ramp | y = int[64]
KERNEL ring_with_a_stage_too_few(const int* x, int* y) {
  constexpr int kStages = PICK(2, 3);
  __shared__ int stage[kStages][64];
  int t = threadIdx.x;
  int sum = 0;
  stage[0][t] = x[t];
  stage[1][t] = x[64 + t];
  for (int k = 0; k < 6; ++k) {
    __syncthreads();
    if (k + 2 < 6) {
      stage[(k + 2) % kStages][t] = x[64 * (k + 2) + t];  // BUG
    }
    sum += (k + 1) * stage[k % kStages][63 - t];  // OTHER
  }
  y[t] = sum;
}

// Both warps pass a named barrier that each of them opens alone.
//: shared-race | grid 1 | block 64 | x = int[32] ramp | y = int[32]
KERNEL named_barrier_of_one_warp(const int* x, int* y) {
  __shared__ int tile[32];
  int t = threadIdx.x;
  if (t < 32) {
    tile[t] = x[t];  // OTHER
    asm volatile("barrier.sync 1, %0;" ::"n"(PICK(32, 64)) : "memory");
  } else {
    asm volatile("barrier.sync 1, %0;" ::"n"(PICK(32, 64)) : "memory");
    y[t - 32] = tile[63 - t];  // BUG
  }
}

// The producer fills the slot again before the consumer says that it is empty.
//: shared-race | grid 1 | block 64 | x = int[128] ramp | y = int[128]
KERNEL producer_ahead_of_its_consumer(const int* x, int* y) {
  __shared__ int slot[32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int piece = 0; piece < 4; ++piece) {
      FIX(asm volatile("barrier.sync 2, 64;" ::: "memory");)
      slot[lane] = x[32 * piece + lane];  // BUG
      asm volatile("barrier.sync 1, 64;" ::: "memory");
    }
  } else {
    for (int piece = 0; piece < 4; ++piece) {
      FIX(asm volatile("barrier.arrive 2, 64;" ::: "memory");)
      asm volatile("barrier.sync 1, 64;" ::: "memory");
      y[32 * piece + lane] = slot[31 - lane];  // OTHER
    }
  }
}

// The halo comes in after the barrier that was meant for it.
//: shared-race | grid 1 | block 64 | x = int[66] ramp | y = int[64]
KERNEL halo_behind_the_barrier(const int* x, int* y) {
  __shared__ int tile[66];
  int t = threadIdx.x;
  tile[t + 1] = x[t + 1];
  PICK(__syncthreads(), (void)0);
  if (t == 0) {
    tile[0] = x[0];
    tile[65] = x[65];  // OTHER
  }
  PICK((void)0, __syncthreads());
  y[t] = tile[t] + tile[t + 2];  // BUG
}

// An inclusive scan that stores before all have loaded.
//: shared-race | grid 1 | block 64 | x = int[64] ramp | y = int[64]
KERNEL scan_stores_too_early(const int* x, int* y) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    int left = 0;
    if (t >= step) {
      left = tile[t - step];  // OTHER
    }
    FIX(__syncthreads();)
    tile[t] += left;  // BUG
    __syncthreads();
  }
  y[t] = tile[t];
}

// Two reductions share one scratch array: the second stores while the first is still read.
//: shared-race | grid 1 | block 64 | x = int[64] ramp | y = int[64]
__device__ int shared_total(int value, int* scratch) {
  value = __reduce_add_sync(0xffffffffu, value);
  if (threadIdx.x % 32 == 0) {
    scratch[threadIdx.x / 32] = value;  // BUG
  }
  __syncthreads();
  int total = scratch[0] + scratch[1];  // OTHER
  FIX(__syncthreads();)
  return total;
}

KERNEL scratch_reused_too_early(const int* x, int* y) {
  __shared__ int scratch[2];
  int sum = shared_total(x[threadIdx.x], scratch);
  int rest = shared_total(sum - x[threadIdx.x], scratch);
  y[threadIdx.x] = rest;
}

// Four bytes are read as one word while other threads still store theirs.
//: shared-race | grid 1 | block 128 | x = char[128] ramp | y = int[32]
KERNEL word_of_other_threads_bytes(const unsigned char* x, int* y) {
  __shared__ __align__(4) unsigned char bytes[128];
  int t = threadIdx.x;
  bytes[127 - t] = x[127 - t];  // OTHER
  FIX(__syncthreads();)
  if (t < 32) {
    y[t] = reinterpret_cast<const int*>(bytes)[t];  // BUG
  }
}

// A barrier for one warp where both are meant.
//: shared-race | grid 1 | block 64 | x = int[64] ramp | y = int[64]
KERNEL warp_barrier_for_a_block(const int* x, int* y) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = x[t];  // OTHER
  PICK(__syncwarp(), __syncthreads());
  y[t] = tile[(t + 32) % 64];  // BUG
}

// Every match stores its own place; all storing the same "yes" would be fine.
//: shared-race | grid 1 | block 64 | x = int[64] mixed | y = int[1]
KERNEL last_match_wins(const int* x, int* y) {
  __shared__ int found;
  int t = threadIdx.x;
  if (t == 0) found = 0;
  __syncthreads();
  if (x[t] > 90) {
    found = PICK(t, 1);  // BUG
  }
  __syncthreads();
  if (t == 0) y[0] = found;
}

// A sorting network whose exchanges do not wait for those before.
//: shared-race | grid 1 | block 64 | x = int[64] mixed | y = int[64]
KERNEL sorting_without_barriers(const int* x, int* y) {
  __shared__ int keys[64];
  int t = threadIdx.x;
  keys[t] = x[t];  // BUG
  for (int width = 2; width <= 64; width *= 2) {
    for (int distance = width / 2; distance > 0; distance /= 2) {
      FIX(__syncthreads();)
      int partner = t ^ distance;
      if (partner > t) {
        int low = keys[t], high = keys[partner];  // BUG
        if ((low > high) == ((t & width) == 0)) { keys[t] = high; keys[partner] = low; }  // BUG
      }
    }
  }
  __syncthreads();
  y[t] = keys[t];
}

// Threads without work may leave before a barrier, which then does not wait for them; but there has to be one.
//: shared-race | grid 1 | block 96 | x = int[80] ramp | y = int[80] | n = 80
KERNEL tile_of_those_that_stay(const int* x, int* y, int n) {
  __shared__ int tile[96];
  int t = threadIdx.x;
  if (t >= n) return;
  tile[t] = x[t];  // OTHER
  FIX(__syncthreads();)
  y[t] = tile[n - 1 - t];  // BUG
}
