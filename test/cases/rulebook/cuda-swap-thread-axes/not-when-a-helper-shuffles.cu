//@case {"kernel": "matmul"}
__device__ float join(float v) { return __shfl_xor_sync(0xffffffffu, v, 1); }
constexpr int kTile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tileA[kTile][kTile];
  __shared__ float tileB[kTile][kTile];

  int row = blockIdx.y * kTile + threadIdx.x;
  int column = blockIdx.x * kTile + threadIdx.y;
  float sum = 0.0f;
  for (int start = 0; start < k; start += kTile) {
    int inner = start + threadIdx.y;
    tileA[threadIdx.x][threadIdx.y] = row < m && inner < k ? a[row * k + inner] : 0.0f;  //@ globalLoadSectors=16384 globalLoadSectorsIdeal=2048 sharedWavefronts=4096 sharedWavefrontsIdeal=512
    inner = start + threadIdx.x;
    tileB[threadIdx.x][threadIdx.y] = inner < k && column < n ? b[inner * n + column] : 0.0f;  //@ globalLoadSectors=4096 globalLoadSectorsIdeal=2048
    __syncthreads();
    for (int step = 0; step < kTile; ++step) {
      sum += tileA[threadIdx.x][step] * tileB[step][threadIdx.y];
    }
    __syncthreads();
  }
  if (row < m && column < n) {
    c[row * n + column] = join(sum);  //@ globalStoreSectors=8192 globalStoreSectorsIdeal=2048
  }
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 block(kTile, kTile);
  dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  matmul<<<grid, block>>>(a, b, c, m, n, k);
}
