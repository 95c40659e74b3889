//@case {"kernel": "fold"}
enum { RUN = 64 };
__global__ void fold(const unsigned char* in, unsigned char* out, int n, int back) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * RUN;
  if (first >= n) return;
  const int last = min(first + RUN, n);
  for (int p = first; p < last; p++) {
    const unsigned char before = p >= back ? in[p - back] : 0;
    out[p] = in[p] - before;  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=256 globalStoreSectors=8192 globalStoreSectorsIdeal=256
  }
}

void run(const unsigned char* in, unsigned char* out, int n, int back) {
  fold<<<(n + RUN * 128 - 1) / (RUN * 128), 128>>>(in, out, n, back);
}
