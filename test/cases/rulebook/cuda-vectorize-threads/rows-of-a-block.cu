//@case {"kernel": "shift"}
// One block a row: local pointers to the row, and a row of weights that all blocks share.
__global__ void shift(const float* x, const float* w, float* y, int columns) {
  const float* from = x + blockIdx.x * columns;
  auto to = y + blockIdx.x * columns;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    to[c] = from[c] + w[c]; //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=2048 globalBytesRequested=786432
}
void run(const float* x, const float* w, float* y, int rows, int columns) { shift<<<rows, 256>>>(x, w, y, columns); }
