//@case {"kernel": "spread"}
// The sum is data: it keeps its 64 bits.
__global__ void spread(const int* x, long long* y, long long rows, long long columns) {
  for (long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x; at < rows * columns; at += (long long)gridDim.x * blockDim.x) { //@ instructions=4096
    long long sum = x[at];
    sum += (long long)x[at] * x[at % columns];
    y[at] = sum;
  }
}
