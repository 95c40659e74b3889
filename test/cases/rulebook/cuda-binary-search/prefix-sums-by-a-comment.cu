//@case {"kernel": "places", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
// first: prefix sums of the rows' lengths, rows + 1 of them
__global__ void places(const int* first, float* out, int rows, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int row = 0;
  while (row + 1 < rows && first[row + 1] <= i) ++row;  //@ instructions=12000 branches=3200
  out[i] = row;
}

void run(const int* first, float* out, int rows, int n) { places<<<(n + 255) / 256, 256>>>(first, out, rows, n); }
