//@case {"kernel": "marks"}
__device__ unsigned mark(unsigned h) { for (int r = 0; r < 4; ++r) h = h * 0x9E3779B1u + (h >> 15); return h; }  //@ instructions=90000
__global__ void marks(const unsigned* x, unsigned* out, int n) {
  int p = threadIdx.x + blockIdx.x * blockDim.x;
  if (p >= n) return;
  unsigned best = 0;
  for (int w = 0; w < 8; ++w)
    if (x[p + w] > 0) best = max(best, mark(x[p + w]));  //@ instructions=9000
  out[p] = best;
}
void run(const unsigned* x, unsigned* out, int n) { marks<<<(n + 255) / 256, 256>>>(x, out, n); }
