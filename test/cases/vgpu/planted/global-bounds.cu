#include "planted.cuh"

// The last block runs past the end: nobody asked whether the element exists.
//: out-of-bounds | grid 4 | block 256 | x = float[1000] ramp | y = float[1000] | n = 1000
KERNEL bounds_tail(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  FIX(if (i >= n) return;)
  y[i] = 2.0f * x[i];  // BUG
}

// The guard lets one element too many through.
//: out-of-bounds | grid 3 | block 128 | y = int[300] | n = 300
KERNEL bounds_off_by_one(int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i PICK(<=, <) n) {
    y[i] = 3 * i;  // BUG
  }
}

// The first element has no left neighbour.
//: out-of-bounds | grid 2 | block 64 | x = int[128] ramp | y = int[128] | n = 128
KERNEL bounds_left_neighbour(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int left = 0;
  FIX(if (i > 0)) left = x[i - 1];  // BUG
  y[i] = x[i] - left;
}

// Rows are as long as there are columns, not as there are rows.
//: out-of-bounds | grid 3,2 | block 16,16 | x = int[960] ramp | y = int[960] | columns = 40 | rows = 24
KERNEL bounds_wrong_stride(const int* x, int* y, int columns, int rows) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= columns || row >= rows) return;
  int at = PICK(column * columns, column * rows) + row;
  y[at] = x[row * columns + column];  // BUG
}

// Four numbers at once, but their count is not a multiple of four.
//: out-of-bounds | grid 1 | block 32 | x = float[101] ramp | y = float[101] zero | n = 101
KERNEL bounds_vector_tail(const float* x, float* y, int n) {
  int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first >= n) return;
#ifdef FIXED
  if (first + 4 > n) {
    for (int i = first; i < n; ++i) y[i] = x[i] + 1.0f;
    return;
  }
#endif
  float4 v = *reinterpret_cast<const float4*>(x + first);  // BUG
  *reinterpret_cast<float4*>(y + first) = make_float4(v.x + 1.0f, v.y + 1.0f, v.z + 1.0f, v.w + 1.0f);  // BUG
}

// The product does not fit 32 bits.
//: out-of-bounds | grid 1 | block 64 | x = int[64] ramp | y = int[64] | scale = 70000000 | total = 70000000
KERNEL bounds_overflow(const int* x, int* y, int scale, int total) {
  int i = threadIdx.x;
  int at = PICK(i * scale / total, static_cast<int>(static_cast<long long>(i) * scale / total));
  y[i] = x[at];  // BUG
}

// "Or" where both conditions have to hold.
//: out-of-bounds | grid 2,2 | block 16,16 | y = int[600] | width = 30 | height = 20
KERNEL bounds_either_guard(int* y, int width, int height) {
  int column = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  if (column < width PICK(||, &&) row < height) {
    y[row * width + column] = row * width + column + 3;  // BUG
  }
}

// A gather whose indices may say "none".
//: out-of-bounds | grid 1 | block 96 | index = int[96] holes | x = int[96] ramp | y = int[96] | n = 96
KERNEL bounds_gather_none(const int* index, const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int from = index[i];
  int value = -7;
  FIX(if (from >= 0)) value = x[from];  // BUG
  y[i] = value;
}

// The greatest value falls into a bin behind the last one.
//: out-of-bounds | grid 2 | block 64 | x = float[101] ramp | bins = int[10] zero | n = 101
KERNEL bounds_last_bin(const float* x, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int bin = static_cast<int>(x[i] / 10.0f);
  FIX(bin = min(bin, 9);)
  atomicAdd(&bins[bin], 1);  // BUG
}

// A loop over bytes that counts elements.
//: out-of-bounds | grid 1 | block 32 | x = int[128] ramp | y = int[1] zero | n = 128
KERNEL bounds_bytes_for_elements(const int* x, int* y, int n) {
  int sum = 0;
  int end = PICK(n * static_cast<int>(sizeof(int)), n);
  for (int i = threadIdx.x; i < end; i += 32) {
    sum += x[i];  // BUG
  }
  atomicAdd(y, sum);
}

__device__ int bounds_weights[5] = {1, 4, 6, 4, 1};

// A window of five taps that is walked as if it had six.
//: out-of-bounds | grid 1 | block 32 | x = int[64] ramp | y = int[32] | taps = 6 -> 5
KERNEL bounds_device_array(const int* x, int* y, int taps) {
  int sum = 0;
  for (int tap = 0; tap < taps; ++tap) {
    sum += x[threadIdx.x + tap] * bounds_weights[tap];  // BUG
  }
  y[threadIdx.x] = sum;
}

// The offset of a matrix within a batch is counted twice.
//: out-of-bounds | grid 4 | block 64 | x = float[256] ramp | y = float[256] | size = 64
KERNEL bounds_batch_twice(const float* x, float* y, int size) {
  const float* from = x + blockIdx.x * size;
  float* to = y + blockIdx.x * size;
  int i = PICK(blockIdx.x * size + threadIdx.x, threadIdx.x);
  to[i] = from[i] * 0.5f;  // BUG
}
