#include <cuda/barrier>
#include <mma.h>
#include "planted.cuh"

// The barrier object expects one thread more than there are: all wait for ever, with pauses by the clock.
//: deadlock | grid 1 | block 64 | x = int[64] ramp | y = int[64]
KERNEL barrier_object_expects_too_many(const int* x, int* y) {
  __shared__ int tile[64];
  __shared__ alignas(cuda::barrier<cuda::thread_scope_block>) char room[sizeof(cuda::barrier<cuda::thread_scope_block>)];
  auto& barrier = reinterpret_cast<cuda::barrier<cuda::thread_scope_block>&>(room);
  int t = threadIdx.x;
  if (t == 0) init(&barrier, PICK(65, 64));
  __syncthreads();
  tile[t] = x[t];
  barrier.arrive_and_wait();  // BUG
  y[t] = tile[63 - t];
}

// The threads wait for the phase behind the one that they have arrived in.
//: deadlock | grid 1 | block 64 | x = int[64] ramp | y = int[64]
KERNEL barrier_object_of_the_wrong_phase(const int* x, int* y) {
  __shared__ int tile[64];
  __shared__ alignas(cuda::barrier<cuda::thread_scope_block>) char room[sizeof(cuda::barrier<cuda::thread_scope_block>)];
  auto& barrier = reinterpret_cast<cuda::barrier<cuda::thread_scope_block>&>(room);
  int t = threadIdx.x;
  if (t == 0) init(&barrier, 64);
  __syncthreads();
  tile[t] = x[t];
  (void)barrier.arrive();
  __syncthreads();
  barrier.wait_parity(PICK(1, 0));  // BUG
  y[t] = tile[63 - t];
}

// Half of a warp multiplies matrices, which takes all of it.
//: divergent-warp-instruction | grid 1 | block 32 | x = half[256] zero | y = float[256] zero
KERNEL matrices_of_half_a_warp(const __half* x, float* y) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  if (PICK(threadIdx.x < 16, true)) {
    wmma::load_matrix_sync(a, x, 16);  // BUG
    y[threadIdx.x] = __half2float(a.x[0]);
  }
}

// The left neighbour of the first element in a tile.
//: out-of-bounds | grid 1 | block 32 | x = int[32] ramp | y = int[32]
KERNEL left_neighbour_in_a_tile(const int* x, int* y) {
  __shared__ int tile[32];
  int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  y[t] = tile[PICK(t, max(t, 1)) - 1];  // BUG
}
