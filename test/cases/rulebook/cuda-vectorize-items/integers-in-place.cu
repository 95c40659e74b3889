//@case {"kernel": "bump"}
__global__ void bump(int* data, const int* by, int n) {
  int base = threadIdx.x + blockIdx.x * 4 * blockDim.x;
  for (int k = 0; k < 4; k++) {
    int at = base + blockDim.x * k;
    if (at < n) data[at] = data[at] + 3 * by[at];  //@ instructions=1000 globalLoadRequests=200 globalStoreRequests=100 globalBytesRequested=38400
  }
}
