//@case {"kernel": "inversions"}
__global__ void inversions(const int* in, int* out, int* swaps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v[6];
  for (int k = 0; k < 6; k++) v[k] = in[k * n + i];
  int count = 0;
  for (int end = 5; end > 0; --end)
    for (int k = 0; k < end; ++k)
      if (v[k] > v[k + 1]) {
        int held = v[k];
        v[k] = v[k + 1];
        v[k + 1] = held;  //@ localRequests=81920
        ++count;
      }
  out[i] = v[3];
  swaps[i] = count;
}

void run(const int* in, int* out, int* swaps, int n) {
  inversions<<<(n + 127) / 128, 128>>>(in, out, swaps, n);
}
