// task: entry-ra05-first-seen
// source: ra
// does: keeps numbers in a table by their low bits and gives up after 32 places, which spread numbers never need; multiples of 4096 do
// caught by: wrong values

__global__ void put(const int* x, int* keys, int* places, int mask, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int slot = x[i] & mask;
  for (int probe = 0; probe < 32; ++probe, slot = (slot + 1) & mask) {
    int before = atomicCAS(&keys[slot], -1, x[i]);
    if (before == -1 || before == x[i]) {
      atomicMin(&places[slot], i);
      return;
    }
  }
}

__global__ void first_seen(const int* x, const int* keys, const int* places, unsigned char* isFirst, int mask, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int slot = x[i] & mask;
  bool first = true;
  for (int probe = 0; probe < 32; ++probe, slot = (slot + 1) & mask)
    if (keys[slot] == x[i]) {
      first = places[slot] == i;
      break;
    }
  isFirst[i] = first;
}

void seen_first(const int* x, unsigned char* isFirst, int n) {
  int size = 64;
  while (size < 4 * n) size *= 2;
  int* room;
  cudaMallocAsync(&room, 2 * sizeof(int) * size, 0);
  cudaMemsetAsync(room, 0xff, sizeof(int) * size, 0);
  cudaMemsetAsync(room + size, 0x7f, sizeof(int) * size, 0);
  put<<<(n + 127) / 128, 128>>>(x, room, room + size, size - 1, n);
  first_seen<<<(n + 127) / 128, 128>>>(x, room, room + size, isFirst, size - 1, n);
  cudaFreeAsync(room, 0);
}
