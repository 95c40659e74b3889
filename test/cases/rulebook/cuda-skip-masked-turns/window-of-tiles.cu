//@case {"kernel": "near_only"}
__global__ void near_only(const float* q, const float* k, float* out, int n, int reach) {
  __shared__ float keys[64];
  const int row = blockIdx.x * 64 + threadIdx.x;
  const float mine = row < n ? q[row] : 0.0f;
  float total = 0.0f;
  for (int first = 0; first < n; first += 64) {  //@ instructions=9000
    keys[threadIdx.x] = first + threadIdx.x < n ? k[first + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 64; ++j) {
      const int key = first + j;
      if (key >= n || key > row || key + reach < row) continue;
      total += __expf(mine * keys[j]);
    }
    __syncthreads();
  }
  if (row < n) out[row] = total;
}
