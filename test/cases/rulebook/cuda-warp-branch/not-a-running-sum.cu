//@case {"kernel": "starts"}
// Each turn needs the sum so far.
__global__ void starts(const int* counts, int* begin, int n) {
  __shared__ int c[1024];
  for (int i = threadIdx.x; i < n; i += 128) c[i] = counts[blockIdx.x * n + i];
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < n; ++i) {
      int own = c[i]; //@ instructions=6000
      c[i] = sum;
      sum += own;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 128) begin[blockIdx.x * n + i] = c[i];
}
void run(const int* counts, int* begin, int rows, int n) { starts<<<rows, 128>>>(counts, begin, n); }
