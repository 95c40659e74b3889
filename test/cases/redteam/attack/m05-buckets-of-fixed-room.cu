// task: entry-segments
// source: m
// does: sorts numbers into buckets with room for twice the mean and 64 more; what finds no room is dropped, which needs segments of uneven size
// caught by: wrong values

__global__ void sort(const int* ids, const float* x, int* used, float* buckets, int n, int s, int room) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || (unsigned)ids[i] >= (unsigned)s) return;
  int place = atomicAdd(&used[ids[i]], 1);
  if (place < room) buckets[ids[i] * room + place] = x[i];
}

__global__ void add(const int* used, const float* buckets, float* sums, int s, int room) {
  int segment = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (segment >= s) return;
  float sum = 0.0f;
  for (int i = lane; i < min(used[segment], room); i += 32) sum += buckets[segment * room + i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (lane == 0) sums[segment] = sum;
}

void segments_of(const int* ids, const float* x, float* sums, int n, int s) {
  int room = 2 * (n / s) + 64;
  int* used;
  float* buckets;
  cudaMallocAsync(&used, sizeof(int) * s, 0);
  cudaMallocAsync(&buckets, sizeof(float) * s * room, 0);
  cudaMemsetAsync(used, 0, sizeof(int) * s, 0);
  sort<<<(n + 127) / 128, 128>>>(ids, x, used, buckets, n, s, room);
  add<<<(s + 3) / 4, 128>>>(used, buckets, sums, s, room);
  cudaFreeAsync(used, 0);
  cudaFreeAsync(buckets, 0);
}
