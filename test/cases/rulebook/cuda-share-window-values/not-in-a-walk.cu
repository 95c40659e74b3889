//@case {"kernel": "marks"}
__device__ unsigned mark(unsigned h) { for (int r = 0; r < 4; ++r) h = h * 0x9E3779B1u + (h >> 15); return h; }  //@ instructions=90000
__global__ void marks(const unsigned* x, unsigned* out, int n) {
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  for (int start = 0; start < n; start += gridDim.x * blockDim.x) {
    unsigned best = 0;
    for (int w = 0; w < 8; ++w) best = max(best, mark(x[t + w]));  //@ instructions=9000
    out[start + t] = best;
  }
}
void run(const unsigned* x, unsigned* out, int n) { marks<<<64, 256>>>(x, out, n); }
