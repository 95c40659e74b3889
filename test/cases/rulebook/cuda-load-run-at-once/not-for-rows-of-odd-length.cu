//@case {"kernel": "sums"}
__global__ void sums(const unsigned char* codes, int* out, int rows, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int sum = 0;
  for (int m = 0; m < 8; ++m) sum += codes[row * width + m];  //@ globalLoadRequests=3200
  out[row] = sum;  //@ globalStoreRequests=100
}
