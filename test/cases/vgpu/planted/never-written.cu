#include "planted.cuh"

// One block too few: the division was not rounded up.
//: never-written y | grid 3 -> 4 | block 256 | x = int[1000] ramp | y = int[1000] | n = 1000
KERNEL grid_rounded_down(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 5;
}

// Returns where a zero should have been stored.
//: never-written y | grid 1 | block 64 | x = int[64] mixed | y = int[64]
KERNEL early_return_without_result(const int* x, int* y) {
  int value = x[threadIdx.x];
  if (value % 3 == 0) {
    FIX(y[threadIdx.x] = 0;)
    return;
  }
  y[threadIdx.x] = 100 / (value % 3);
}

// Each thread owns two elements and stores one.
//: never-written y | grid 1 | block 64 | x = int[128] ramp | y = int[128]
KERNEL second_item_forgotten(const int* x, int* y) {
  for (int item = 0; item < PICK(1, 2); ++item) {
    int i = item * 64 + threadIdx.x;
    y[i] = x[i] * 7;
  }
}

// Whole vectors only: the three elements behind the last one stay as they were.
//: never-written y | grid 1 | block 32 | x = int[103] ramp | y = int[103] | n = 103
KERNEL rest_behind_the_vectors(const int* x, int* y, int n) {
  int at = threadIdx.x;
  if (at < n / 4) reinterpret_cast<int4*>(y)[at] = reinterpret_cast<const int4*>(x)[at];
  FIX(int rest = n / 4 * 4 + at; if (rest < n) y[rest] = x[rest];)
}

// Only the block that holds the diagonal stores.
//: never-written y | grid 2,2 | block 8,8 | x = int[256] ramp | y = int[256]
KERNEL only_the_diagonal_blocks(const int* x, int* y) {
  int column = blockIdx.x * 8 + threadIdx.x;
  int row = blockIdx.y * 8 + threadIdx.y;
  if (PICK(blockIdx.x == blockIdx.y, row < 16)) y[column * 16 + row] = x[row * 16 + column];
}
