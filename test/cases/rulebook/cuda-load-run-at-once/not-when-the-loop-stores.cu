//@case {"kernel": "spread"}
__global__ void spread(const unsigned char* codes, float* out, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int m = 0; m < 16; ++m) out[m * rows + row] = codes[row * 16 + m];  //@ globalLoadRequests=3200 globalStoreRequests=3200
}
