//@case {"kernel": "matmul"}
constexpr int kTile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tileA[kTile][kTile];
  __shared__ float tileB[kTile][kTile];

  int row = blockIdx.y * kTile + threadIdx.y;
  int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int start = 0; start < k; start += kTile) {
    int inner = start + threadIdx.x;
    tileA[threadIdx.y][threadIdx.x] = row < m && inner < k ? a[row * k + inner] : 0.0f;  //@ globalLoadSectors=2048 globalLoadSectorsIdeal=2048
    inner = start + threadIdx.y;
    tileB[threadIdx.y][threadIdx.x] = inner < k && column < n ? b[inner * n + column] : 0.0f;  //@ globalLoadSectors=2048 globalLoadSectorsIdeal=2048
    __syncthreads();
    for (int step = 0; step < kTile; ++step) {
      sum += tileA[threadIdx.y][step] * tileB[step][threadIdx.x];
    }
    __syncthreads();
  }
  if (row < m && column < n) {
    c[row * n + column] = sum;  //@ globalStoreSectors=2048 globalStoreSectorsIdeal=2048
  }
}

void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 block(kTile, kTile);
  dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  matmul<<<grid, block>>>(a, b, c, m, n, k);
}

constexpr int kHalf = kTile / 2;

__global__ void other(float* out) {
  out[threadIdx.x + kHalf] = 0.0f;
}
