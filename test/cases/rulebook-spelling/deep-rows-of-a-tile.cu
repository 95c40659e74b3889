//@case {"kernel": "walk"}
// A thread's row of a tile has a pointer, or is handed to a function.
__device__ void fall(float* row, int n) {
  for (int i = 1; i < n; ++i) row[i] += 0.5f * row[i - 1];
}
__global__ void walk(const float* x, float* y) {
  __shared__ float tile[32][64];
  for (int i = threadIdx.x; i < 2048; i += 32) tile[i / 64][i % 64] = x[i];
  __syncthreads();
  fall(tile[threadIdx.x], 64);
  const float* own = tile[threadIdx.x];
  y[threadIdx.x] = own[63] + own[0];
}
void run(const float* x, float* y) { walk<<<1, 32>>>(x, y); }
