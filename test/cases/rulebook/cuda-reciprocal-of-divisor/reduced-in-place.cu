//@case {"kernel": "power"}
using u64 = unsigned long long;
constexpr u64 base = 1000003;
struct Field { u64 p; };
__global__ void power(const u64* x, u64* y, Field f, int n, int e) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  u64 r = 1;
  int k = 0;
  while (k < e) {
    r = r * x[i] + base;
    r %= f.p; //@ instructions=4000
    ++k;
  }
  y[i] = r;
}
