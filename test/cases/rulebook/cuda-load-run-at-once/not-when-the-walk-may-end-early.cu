//@case {"kernel": "lengths"}
__global__ void lengths(const unsigned char* names, int* out, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int length = 0;
  for (int m = 0; m < 16; ++m) {
    if (names[row * 16 + m] == 0) break;  //@ globalLoadRequests=3200
    length = m + 1;
  }
  out[row] = length;  //@ globalStoreRequests=100
}
