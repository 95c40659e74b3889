// Marks numbers that do not stand further in front.
__global__ void first_seen(const int* x, unsigned char* isFirst, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool first = true;
  for (int j = 0; j < i; ++j) first &= x[j] != x[i];
  isFirst[i] = first;
}

void seen_first(const int* x, unsigned char* isFirst, int n) { first_seen<<<(n + 63) / 64, 64>>>(x, isFirst, n); }
