//@case {"kernel": "least", "threads": 64, "launches": [{"blocks": 20000}]}
__global__ void least(const int* table, int* out, int rows) {
  extern __shared__ int low[];
  int best = 1 << 30;
  for (int r = threadIdx.x; r < rows; r += blockDim.x)
    best = min(best, table[r * gridDim.x + blockIdx.x]); //@ globalLoadSectors=80000 globalLoadSectorsIdeal=10000
  low[threadIdx.x] = best;
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (threadIdx.x < s) low[threadIdx.x] = min(low[threadIdx.x], low[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = low[0];
}
void run(const int* table, int* out, int rows, int columns) {
  least<<<columns, 64, 64 * sizeof(int)>>>(table, out, rows);
}
