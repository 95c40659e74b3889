#include <cuda_fp16.h>
#include "planted.cuh"

// The host has freed the input.
//: use-after-free | grid 1 | block 64 | x = int[64] ramp | y = int[64] | free x
KERNEL freed_input(const int* x, int* y) {
  y[threadIdx.x] = x[threadIdx.x] + 1;  // BUG
}

// The host has freed the work space that an earlier launch filled.
//: use-after-free | grid 1 | block 64 | work = int[64] zero | y = int[64] | free work
KERNEL freed_work_space(int* work, int* y) {
  work[threadIdx.x] = threadIdx.x * threadIdx.x;  // BUG
  y[threadIdx.x] = threadIdx.x;
}

// A table of pointers outlives what it points to.
//: use-after-free | grid 1 | block 32 | rows = pointer[2] first second | first = int[32] ramp | second = int[32] ramp | y = int[32] | free second
KERNEL freed_behind_a_pointer(const int* const* rows, const int* first, const int* second, int* y) {
  y[threadIdx.x] = rows[0][threadIdx.x]
      + rows[1][threadIdx.x];  // BUG
}

// Memory that was freed and is still counted in.
//: use-after-free | grid 1 | block 32 | x = int[32] ramp | total = int[1] zero | free total
KERNEL freed_counter(const int* x, int* total) {
  atomicAdd(total, x[threadIdx.x]);  // BUG
}

// A view that starts one element in is no vector any more.
//: misaligned | grid 1 | block 16 | x = float[68] ramp | y = float[64] | offset = 1 -> 4
KERNEL float4_of_a_view(const float* x, float* y, int offset) {
  float4 v = reinterpret_cast<const float4*>(x + offset)[threadIdx.x];  // BUG
  y[4 * threadIdx.x] = v.x;
  y[4 * threadIdx.x + 1] = v.y;
  y[4 * threadIdx.x + 2] = v.z;
  y[4 * threadIdx.x + 3] = v.w;
}

// Rows of odd length do not start where a double2 may.
//: misaligned | grid 4 | block 8 | x = double[72] ramp | y = double[64] zero | pitch = 17 -> 18
KERNEL double2_of_odd_rows(const double* x, double* y, int pitch) {
  double2 v = reinterpret_cast<const double2*>(x + blockIdx.x * pitch)[threadIdx.x];  // BUG
  y[blockIdx.x * 16 + 2 * threadIdx.x] = v.x;
  y[blockIdx.x * 16 + 2 * threadIdx.x + 1] = v.y;
}

// The second array in dynamic shared memory starts behind 33 floats.
//: misaligned | grid 1 | block 32 | shared 1024 | x = float[32] ramp | y = float[32] | head = 33 -> 36
KERNEL float4_behind_a_head(const float* x, float* y, int head) {
  extern __shared__ float room[];
  float4* body = reinterpret_cast<float4*>(room + head);
  float v = x[threadIdx.x];
  body[threadIdx.x] = make_float4(v, v + 1.0f, v + 2.0f, v + 3.0f);  // BUG
  __syncthreads();
  float4 other = body[31 - threadIdx.x];  // BUG
  y[threadIdx.x] = other.x + other.w;
}

// A 32-bit field behind a header of three bytes, read as if it were aligned.
//: misaligned | grid 1 | block 8 | packet = char[64] ramp | y = int[8]
KERNEL int_of_a_packet(const unsigned char* packet, int* y) {
  const unsigned char* field = packet + 3 + 4 * threadIdx.x;
#ifdef FIXED
  int value = field[0] | field[1] << 8 | field[2] << 16 | field[3] << 24;
#else
  int value = *reinterpret_cast<const int*>(field);  // BUG
#endif
  y[threadIdx.x] = value;
}

// Pairs of halves from an odd element on.
//: misaligned | grid 1 | block 16 | x = half[34] zero | y = half[32] | first = 1 -> 2
KERNEL half2_of_an_odd_column(const __half* x, __half* y, int first) {
  __half2 pair = *reinterpret_cast<const __half2*>(x + first + 2 * threadIdx.x);  // BUG
  *reinterpret_cast<__half2*>(y + 2 * threadIdx.x) = pair;
}
