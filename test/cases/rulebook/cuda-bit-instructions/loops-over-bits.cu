//@case {"kernel": "distances", "launches": []}
__global__ void distances(const unsigned* a, const unsigned* b, const int* depth, int* out, int words, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int apart = 0;
  for (int w = 0; w < words; ++w) {
    unsigned x = a[i * words + w], y = b[w];
#pragma unroll
    for (int k = 0; k < 32; ++k)
      if (((x >> k) & 1) != ((y >> k) & 1)) apart++;  //@ instructions=90000
  }
  unsigned left = depth[i];
  int levels = 0;
  do {  //@ instructions=9000
    if (left == 0) break;
    left >>= 1;
    levels += 1;
  } while (true);
  out[i] = apart * 64 + levels;
}

void run(const unsigned* a, const unsigned* b, const int* depth, int* out, int words, int n) {
  distances<<<(n + 255) / 256, 256>>>(a, b, depth, out, words, n);
}
