// task: entry-rr03-merge
// source: rr
// caught by: wrong values
// does: the search for where a thread's part begins takes equal keys of the second list first, the merge those of the first; the keys come out right, but origins repeat and go missing where ties lie across a seam

constexpr int kEach = 8;

__global__ void merge_places(const int* a, const int* b, int* keys, int* origin, int na, int nb) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * kEach;
  int total = na + nb;
  if (first >= total) return;
  int low = max(0, first - nb), high = min(first, na);
  while (low < high) {
    int middle = (low + high) / 2;
    if (a[middle] < b[first - 1 - middle]) low = middle + 1;
    else high = middle;
  }
  int i = low, j = first - low;
  for (int k = first; k < min(first + kEach, total); ++k) {
    bool take = j >= nb || (i < na && a[i] <= b[j]);
    keys[k] = take ? a[i] : b[j];
    origin[k] = take ? i : -1 - j;
    if (take) ++i;
    else ++j;
  }
}

void merge_lists(const int* a, const int* b, int* keys, int* origin, int na, int nb) {
  int threads = (na + nb + kEach - 1) / kEach;
  merge_places<<<(threads + 127) / 128, 128>>>(a, b, keys, origin, na, nb);
}
