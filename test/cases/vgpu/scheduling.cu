// Kernels whose threads wait for each other: what independent thread scheduling and blocks that run at the same time allow.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Every lane takes the same lock: the lanes of a warp that do not have it spin while another one holds it.
extern "C" __global__ void spin_lock(unsigned* lock, unsigned* count) {
  while (atomicCAS(lock, 0u, 1u) != 0u) {}
  __threadfence();
  *(volatile unsigned*)count = *(volatile unsigned*)count + 1;
  __threadfence();
  atomicExch(lock, 0u);
}

// The same, spinning on a load.
extern "C" __global__ void test_and_set(unsigned* lock, unsigned* count) {
  for (;;) {
    while (*(volatile unsigned*)lock != 0u) {}
    if (atomicExch(lock, 1u) == 0u) break;
  }
  *(volatile unsigned*)count = *(volatile unsigned*)count + threadIdx.x;
  __threadfence();
  atomicExch(lock, 0u);
}

// Served in the order of the tickets; the order of the visits is kept.
extern "C" __global__ void ticket_lock(unsigned* tickets, unsigned* serving, unsigned* order) {
  unsigned mine = atomicAdd(tickets, 1u);
  while (*(volatile unsigned*)serving != mine) {}
  order[mine] = mine * 3 + 1;
  __threadfence();
  *(volatile unsigned*)serving = mine + 1;
}

// Each warp waits for the one behind it; the last one begins.
extern "C" __global__ void warp_chain(unsigned* out) {
  __shared__ volatile unsigned flags[33];
  unsigned warp = threadIdx.x / 32, warps = blockDim.x / 32;
  if (threadIdx.x < 33) flags[threadIdx.x] = 0;
  __syncthreads();
  if (warp + 1 < warps) while (flags[warp + 1] == 0) {}
  if (threadIdx.x % 32 == 0) {
    out[warp] = warp + 1 < warps ? flags[warp + 1] + 1 : 1;
    flags[warp] = warp + 1 < warps ? flags[warp + 1] + 1 : 1;
  }
}

// Every block but the last waits for the one with the next number (step 1) or the one before (step -1).
extern "C" __global__ void block_chain(volatile unsigned* flags, unsigned* out, int step) {
  int other = (int)blockIdx.x + step;
  __shared__ unsigned seen;
  if (threadIdx.x == 0) {
    unsigned value = 0;
    if (other >= 0 && other < (int)gridDim.x) while ((value = flags[other]) == 0) {}
    seen = value;
  }
  __syncthreads();
  if (threadIdx.x == 33) out[blockIdx.x] = seen;
  __syncthreads();
  if (threadIdx.x == 0) { __threadfence(); flags[blockIdx.x] = seen + 1; }
}

// Producers are the odd blocks, consumers the even ones; a full slot waits for its consumer.
extern "C" __global__ void pipeline(unsigned* slots, unsigned* sums, int items) {
  unsigned pair = blockIdx.x / 2;
  if (threadIdx.x != 0) return;
  if (blockIdx.x % 2) {
    for (int i = 1; i <= items; i++) while (atomicCAS(&slots[pair], 0u, (unsigned)i) != 0u) {}
  } else {
    unsigned sum = 0;
    for (int i = 1; i <= items; i++) {
      unsigned value;
      while ((value = atomicExch(&slots[pair], 0u)) == 0u) {}
      sum += value;
    }
    sums[pair] = sum;
  }
}

// Three phases: every block needs what all the others wrote in the phase before.
extern "C" __global__ void grid_phases(const int* in, int* first, int* second, int* out, int n) {
  cg::grid_group grid = cg::this_grid();
  for (int i = grid.thread_rank(); i < n; i += grid.size()) first[i] = in[n - 1 - i] * 2;
  grid.sync();
  for (int i = grid.thread_rank(); i < n; i += grid.size()) second[i] = first[(i + n / 2) % n] + 1;
  grid.sync();
  for (int i = grid.thread_rank(); i < n; i += grid.size()) out[i] = second[n - 1 - i] - first[i];
  grid.sync();
  if (grid.thread_rank() == 0) out[n] = grid.is_valid() ? (int)grid.num_blocks() : -1;
}

// Two locks taken in opposite orders by two blocks that meet in between.
extern "C" __global__ void embrace(unsigned* locks) {
  if (threadIdx.x != 0) return;
  unsigned mine = blockIdx.x, other = 1 - mine;
  atomicExch(&locks[mine], 1u);
  while (atomicAdd(&locks[2], 0u) != 0u) {}
  while (atomicCAS(&locks[other], 0u, 1u) != 0u) {}  // never free
}

// Gives up after a while: a wait with an end of its own.
extern "C" __global__ void impatient(volatile unsigned* flag, unsigned* tries) {
  unsigned count = 0;
  while (*flag == 0 && count < 5000) count++;
  tries[blockIdx.x * blockDim.x + threadIdx.x] = count;
}
