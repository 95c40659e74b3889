//@case {"kernel": "columns", "launches": [{"kernel": "columns", "grid": [512, 4, 1], "block": [32, 8, 1]}]}
// Tuples as columns; the grid has its rows along x, a block along y.
__global__ void columns(const int* __restrict__ tuples, const int* __restrict__ fallback, int* __restrict__ out, int rows, int fields) {
  int field = blockIdx.y * blockDim.x + threadIdx.x;
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row < rows && field < fields) {
    int value = tuples[(size_t)row * fields + field];  //@ globalLoadSectors=64000 globalLoadSectorsIdeal=64000 globalLoadRequests=16000
    if (value < 0) value = fallback[field];
    out[(size_t)field * rows + row] = value;  //@ globalStoreSectors=512000 globalStoreSectorsIdeal=64000 globalStoreRequests=16000
  }
}
