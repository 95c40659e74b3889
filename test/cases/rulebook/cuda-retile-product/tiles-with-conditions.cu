//@case {"kernel": "mm", "spec": {"outputs": {"c": {"dtype": "float32", "shape": [512, 512]}}}}
#define SIDE 16
// Each condition is one of the end, or the end of the sum; a place of the tile has a name.
__global__ void mm(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[SIDE][SIDE];
  __shared__ float bs[SIDE][SIDE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * SIDE + ty;
  const int column = blockIdx.x * SIDE + tx;
  float sum = 0.0f;
  for (int t = 0; t < (k + SIDE - 1) / SIDE; t++) {
    const int across = t * SIDE + tx;
    as[ty][tx] = row < m && across < k ? a[row * k + across] : 0.0f; //@ globalLoadRequests=4096 instructions=20000
    bs[ty][tx] = t * SIDE + ty < k && column < n ? b[(t * SIDE + ty) * n + column] : 0; //@ globalLoadRequests=4096 instructions=20000
    __syncthreads();
#pragma unroll
    for (int p = 0; p < SIDE; ++p)
      sum += as[ty][p] * bs[p][tx]; //@ instructions=90000
    __syncthreads();
  }
  if (row < m && column < n) {
    c[row * n + column] = sum;
  }
}
void run(const float* a, const float* b, float* c, int m, int n, int k) {
  mm<<<dim3((n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE), dim3(SIDE, SIDE)>>>(a, b, c, m, n, k);
}
