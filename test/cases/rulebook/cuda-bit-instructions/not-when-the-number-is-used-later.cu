//@case {"kernel": "screen", "launches": []}
__global__ void screen(const unsigned* db, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = db[i];
  unsigned count = 0;
  while (v > 7) {  //@ instructions=90000
    count += v & 1;
    v >>= 1;
  }
  out[i] = count + v;
}

void run(const unsigned* db, unsigned* out, int n) { screen<<<(n + 255) / 256, 256>>>(db, out, n); }
