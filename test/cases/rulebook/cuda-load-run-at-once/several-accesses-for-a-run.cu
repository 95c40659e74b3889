//@case {"kernel": "norms"}
__global__ void norms(const short* samples, int* out, int rows) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x) {
    int sum = 0;
#pragma unroll 4
    for (int k = 0; k < 24; k++) {
      sum += samples[24 * r + k] * samples[k + r * 24];  //@ globalLoadRequests=3200
    }
    out[r] = sum;  //@ globalStoreRequests=100
  }
}
