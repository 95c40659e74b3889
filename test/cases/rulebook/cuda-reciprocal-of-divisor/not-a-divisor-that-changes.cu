//@case {"kernel": "gcd"}
__global__ void gcd(const unsigned* a, unsigned* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = a[i], y = b[i];
  while (y != 0) {
    unsigned t = x % y; //@ instructions=4000
    x = y;
    y = t;
  }
  b[i] = x;
}
