// How often each of 256 numbers occurs.
__global__ void clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void count(const int* x, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[x[i] & 255], 1);
}

void counts_of(const int* x, int* counts, int n) {
  clear<<<1, 256>>>(counts);
  count<<<(n + 127) / 128, 128>>>(x, counts, n);
}
