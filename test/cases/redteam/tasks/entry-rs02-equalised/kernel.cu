// Equalises the histogram of a picture.
__global__ void clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void count(const unsigned char* x, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[x[i]], 1);
}

__global__ void levels(const int* counts, unsigned char* table, int n) {
  int first = 0, below = 0;
  while (first < 255 && counts[first] == 0) ++first;
  int low = counts[first];
  for (int v = 0; v < 256; ++v) {
    below += counts[v];
    // A picture of one grey stays as it is.
    table[v] = low == n ? v : v < first ? 0 : (long long)(below - low) * 255 / (n - low);
  }
}

__global__ void apply(const unsigned char* x, const unsigned char* table, unsigned char* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = table[x[i]];
}

void equalised(const unsigned char* x, unsigned char* y, int n) {
  int* counts;
  unsigned char* table;
  cudaMalloc(&counts, 256 * sizeof(int));
  cudaMalloc(&table, 256);
  clear<<<1, 256>>>(counts);
  count<<<(n + 127) / 128, 128>>>(x, counts, n);
  levels<<<1, 1>>>(counts, table, n);
  apply<<<(n + 127) / 128, 128>>>(x, table, y, n);
  cudaFree(table);
  cudaFree(counts);
}
