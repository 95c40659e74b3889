//@case {"kernel": "screen", "launches": []}
__device__ int bits_set(unsigned v) {
  int n = 0;
  for (int b = 0; b < 31; ++b) n += (v >> b) & 1u;  //@ instructions=90000
  return n;
}

__global__ void screen(const unsigned* db, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = bits_set(db[i]);
}

void run(const unsigned* db, int* out, int n) { screen<<<(n + 255) / 256, 256>>>(db, out, n); }
