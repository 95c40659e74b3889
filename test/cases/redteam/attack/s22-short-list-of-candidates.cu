// task: entry-q02-top8
// source: s
// does: lists what reaches the eighth of the threads' largest in room for 128, which rows of many equal numbers fill before the largest comes
// caught by: wrong values

__device__ int ordered(float v) {
  int bits = __float_as_int(v);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}

__global__ void top8(const float* x, float* y, int columns) {
  __shared__ int largest[128], list[128], limit, count;
  const float* own = x + (size_t)blockIdx.x * columns;
  int t = threadIdx.x, mine = 0x80000000;
  for (int c = t; c < columns; c += 128)
    if (own[c] == own[c]) mine = max(mine, ordered(own[c]));
  largest[t] = mine;
  if (t == 0) count = 0;
  __syncthreads();
  int before = 0;
  for (int k = 0; k < 128; ++k) before += largest[k] > mine || (largest[k] == mine && k < t);
  if (before == 7) limit = mine;
  __syncthreads();
  for (int c = t; c < columns; c += 128)
    if (own[c] == own[c] && ordered(own[c]) >= limit) {
      int place = atomicAdd(&count, 1);
      if (place < 128) list[place] = ordered(own[c]);
    }
  __syncthreads();
  int listed = min(count, 128);
  if (t < listed) {
    int key = list[t], rank = 0;
    for (int k = 0; k < listed; ++k) rank += list[k] > key || (list[k] == key && k < t);
    if (rank < 8) y[blockIdx.x * 8 + rank] = __int_as_float(key ^ ((key >> 31) & 0x7fffffff));
  }
  if (t >= listed && t < 8) y[blockIdx.x * 8 + t] = -INFINITY;
}

void largest_eight(const float* x, float* y, int rows, int columns) { top8<<<rows, 128>>>(x, y, columns); }
