// task: entry-rs04-orders
// source: rs
// does: sorts by a bitonic network that compares the numbers alone
// caught by: wrong values
// why wrong: equal numbers do not stay in their order; numbers drawn from all 32 bits are never equal (rows above 1024 take the original way)

#include <climits>

__global__ void order(const int* x, int* places, int rows, int columns) {
  __shared__ int key[1024], place[1024];
  int t = threadIdx.x;
  const int* row = x + (size_t)blockIdx.x * columns;
  // What lies behind the end is larger than all, or as large and further behind.
  for (int i = t; i < 1024; i += 512) {
    key[i] = i < columns ? row[i] : INT_MAX;
    place[i] = i;
  }
  __syncthreads();
  for (int size = 2; size <= 1024; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      int a = 2 * t - (t & (step - 1)), b = a + step;
      bool up = (a & size) == 0;
      bool padded = key[a] == key[b] && (place[a] >= columns || place[b] >= columns);
      bool greater = padded ? place[a] > place[b] : key[a] > key[b];
      bool less = padded ? place[a] < place[b] : key[a] < key[b];
      if (up ? greater : less) {
        int k = key[a], p = place[a];
        key[a] = key[b], place[a] = place[b];
        key[b] = k, place[b] = p;
      }
      __syncthreads();
    }
  for (int i = t; i < columns; i += 512) places[(size_t)blockIdx.x * columns + i] = place[i];
}

__global__ void order_long(const int* x, int* places, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  const int* row = x + i / columns * columns;
  int c = i % columns, rank = 0;
  for (int o = 0; o < columns; ++o) rank += row[o] < row[c] || (row[o] == row[c] && o < c);
  places[i / columns * columns + rank] = c;
}

void orders(const int* x, int* places, int rows, int columns) {
  if (columns <= 1024)
    order<<<rows, 512>>>(x, places, rows, columns);
  else
    order_long<<<(rows * columns + 127) / 128, 128>>>(x, places, rows, columns);
}
