#define EDGE 32

__global__ void flip_tiles(const float *src, float *dst, int dim) {
  __shared__ float tile[EDGE][EDGE + 1];
  int col = blockIdx.x * EDGE + threadIdx.x;
  int row = blockIdx.y * EDGE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = src[row * dim + col];
  __syncthreads();
  col = blockIdx.y * EDGE + threadIdx.x;
  row = blockIdx.x * EDGE + threadIdx.y;
  dst[row * dim + col] = tile[threadIdx.x][threadIdx.y];
}
