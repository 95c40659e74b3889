//@case {"kernel": "turn"}
// A tile is handed to functions in three spellings.
#define SIDE 32
__device__ void taken(float (*tile)[SIDE], const float* x, int n) {
  for (int k = 0; k < SIDE; k += 8) tile[threadIdx.y + k][threadIdx.x] = x[(threadIdx.y + k) * n + threadIdx.x];
}
__device__ void scaled(float (&tile)[SIDE][SIDE], float by) {
  const float own = tile[threadIdx.y][threadIdx.x];
  tile[threadIdx.y][threadIdx.x] = own * by;
}
__device__ void given(float tile[][SIDE], float* y, int n) {
  for (int k = 0; k < SIDE; k += 8) y[(threadIdx.y + k) * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y + k];
}
__global__ void turn(const float* x, float* y, int n, float by) {
  __shared__ float tile[SIDE][SIDE];
  taken(tile, x, n);
  scaled(tile, by);
  __syncthreads();
  given(tile, y, n);
}
