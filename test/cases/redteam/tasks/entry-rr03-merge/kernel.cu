// Two ascending lists become one. Of equal keys those of the first list come first, and each list keeps its order.
// `origin` says where a key stood: i in the first list, -1 - i in the second.
__global__ void merge_places(const int* a, const int* b, int* keys, int* origin, int na, int nb) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < na) {
    int low = 0, high = nb;
    while (low < high) {
      int middle = (low + high) / 2;
      if (b[middle] < a[i]) low = middle + 1;
      else high = middle;
    }
    keys[i + low] = a[i];
    origin[i + low] = i;
  } else if (i < na + nb) {
    int j = i - na, low = 0, high = na;
    while (low < high) {
      int middle = (low + high) / 2;
      if (a[middle] <= b[j]) low = middle + 1;
      else high = middle;
    }
    keys[j + low] = b[j];
    origin[j + low] = -1 - j;
  }
}

void merge_lists(const int* a, const int* b, int* keys, int* origin, int na, int nb) {
  merge_places<<<(na + nb + 31) / 32, 32>>>(a, b, keys, origin, na, nb);
}
