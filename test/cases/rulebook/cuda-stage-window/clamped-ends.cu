//@case {"kernel": "second"}
__global__ void second(const double* u, double* d, unsigned n) {
  unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  const double left = u[max((int)i - 1, 0)], right = u[min((int)i + 1, (int)n - 1)]; //@ globalLoadSectors=600 loadedAgain=400
  d[i] = left - 2.0 * u[i] + right; //@ globalLoadSectors=300 loadedAgain=300
}
void run(const double* u, double* d, unsigned n) { second<<<(n + 63) / 64, 64>>>(u, d, n); }
