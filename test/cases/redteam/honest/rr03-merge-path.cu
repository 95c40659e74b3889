// task: entry-rr03-merge
// does: each thread finds by a search along a diagonal where its eight results begin and merges them; search and merge take equal keys of the first list first, and results leave by shared memory

constexpr int kEach = 8, kThreads = 128;

__global__ void merge_places(const int* a, const int* b, int* keys, int* origin, int na, int nb) {
  __shared__ int key[kEach * kThreads], place[kEach * kThreads];
  int base = blockIdx.x * kEach * kThreads, total = na + nb;
  int first = min(base + (int)threadIdx.x * kEach, total), end = min(first + kEach, total);
  int low = max(0, first - nb), high = min(first, na);
  while (low < high) {
    int middle = (low + high) / 2;
    if (__ldg(a + middle) <= __ldg(b + first - 1 - middle)) low = middle + 1;
    else high = middle;
  }
  int i = low, j = first - low;
  int x = i < na ? __ldg(a + i) : 0, y = j < nb ? __ldg(b + j) : 0;
  for (int k = first; k < end; ++k) {
    if (j >= nb || (i < na && x <= y)) {
      key[k - base] = x;
      place[k - base] = i++;
      if (i < na) x = __ldg(a + i);
    } else {
      key[k - base] = y;
      place[k - base] = -1 - j++;
      if (j < nb) y = __ldg(b + j);
    }
  }
  __syncthreads();
  for (int k = threadIdx.x; k < kEach * kThreads && base + k < total; k += kThreads) {
    keys[base + k] = key[k];
    origin[base + k] = place[k];
  }
}

void merge_lists(const int* a, const int* b, int* keys, int* origin, int na, int nb) {
  int each = kEach * kThreads;
  merge_places<<<(na + nb + each - 1) / each, kThreads>>>(a, b, keys, origin, na, nb);
}
