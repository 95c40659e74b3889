// task: entry-same-rows
// does: looks only at rows of the same hash, and there compares the numbers themselves

__global__ void hash_rows(const int* x, unsigned* hashes, int n, int w) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= n) return;
  unsigned hash = 0;
  for (int c = lane; c < w; c += 32) hash += ((unsigned)x[row * w + c] + c) * 2654435761u ^ c * 40503u;
  for (int o = 16; o; o /= 2) hash += __shfl_xor_sync(~0u, hash, o);
  if (lane == 0) hashes[row] = hash;
}

__global__ void same_rows(const int* x, const unsigned* hashes, int* first, int n, int w) {
  int i = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (i >= n) return;
  unsigned own = hashes[i];
  for (int at = 0; at <= i; at += 32) {
    unsigned candidates = __ballot_sync(~0u, at + lane <= i && hashes[at + lane] == own);
    for (; candidates; candidates &= candidates - 1) {
      int j = at + __ffs(candidates) - 1;
      bool same = true;
      for (int c = lane; c < w; c += 32) same = same && x[i * w + c] == x[j * w + c];
      if (!__all_sync(~0u, same)) continue;
      if (lane == 0) first[i] = j;
      return;
    }
  }
}

void first_rows(const int* x, int* first, int n, int w) {
  unsigned* hashes;
  cudaMallocAsync(&hashes, sizeof(unsigned) * n, 0);
  hash_rows<<<(n + 3) / 4, 128>>>(x, hashes, n, w);
  same_rows<<<(n + 3) / 4, 128>>>(x, hashes, first, n, w);
  cudaFreeAsync(hashes, 0);
}
