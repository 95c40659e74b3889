//@case {"kernel": "MatMul", "rules": ["cuda-retile-product", "cuda-enlarge-shared-tile"], "spec": {"launch": {"arguments": ["A", "B", "C", {"value": "m", "dtype": "int32"}, {"value": "n", "dtype": "int32"}, {"value": "k", "dtype": "int32"}]}, "inputs": {"A": {"dtype": "float32", "shape": ["m", "k"]}, "B": {"dtype": "float32", "shape": ["k", "n"]}}, "outputs": {"C": {"dtype": "float32", "shape": ["m", "n"]}}, "shapes": [{"sizes": {"m": 512, "n": 512, "k": 32}}, {"sizes": {"m": 19, "n": 50, "k": 37}}, {"sizes": {"m": 1, "n": 1, "k": 1}}], "reference": "baseline"}}
#define TILE_WIDTH 16

__global__ void MatMul(const float *A, const float *B, float *C, int m, int n, int k) {
  __shared__ float tileA[TILE_WIDTH][TILE_WIDTH];
  __shared__ float tileB[TILE_WIDTH][TILE_WIDTH];
  int Row = blockIdx.y * TILE_WIDTH + threadIdx.y;
  int Col = blockIdx.x * TILE_WIDTH + threadIdx.x;
  float value = 0;
  for (int ph = 0; ph < (k - 1) / TILE_WIDTH + 1; ++ph) {
    tileA[threadIdx.y][threadIdx.x] =
        Row < m && ph * TILE_WIDTH + threadIdx.x < k ? A[Row * k + ph * TILE_WIDTH + threadIdx.x] : 0;
    tileB[threadIdx.y][threadIdx.x] =
        ph * TILE_WIDTH + threadIdx.y < k && Col < n ? B[(ph * TILE_WIDTH + threadIdx.y) * n + Col] : 0;
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i)
      value += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
    __syncthreads();
  }
  if (Row < m && Col < n)
    C[Row * n + Col] = value;
}

void launch(const float *A, const float *B, float *C, int m, int n, int k) {
  dim3 grid((n + TILE_WIDTH - 1) / TILE_WIDTH, (m + TILE_WIDTH - 1) / TILE_WIDTH);
  MatMul<<<grid, dim3(TILE_WIDTH, TILE_WIDTH)>>>(A, B, C, m, n, k);
}
