//@case {"kernel": "corner_turn"}
typedef float2 cpx;
#define TILE 32
__global__ void corner_turn(const cpx* x, cpx* y, int n) {
  __shared__ cpx tile[TILE][TILE];
  for (int r = threadIdx.y; r < TILE; r += blockDim.y)
    tile[r][threadIdx.x] = x[(blockIdx.y * TILE + r) * n + blockIdx.x * TILE + threadIdx.x]; //@ sharedWavefronts=1024 sharedWavefrontsIdeal=1024
  __syncthreads();
  for (int r = threadIdx.y; r < TILE; r += blockDim.y)
    y[(blockIdx.x * TILE + r) * n + blockIdx.y * TILE + threadIdx.x] = tile[threadIdx.x][r]; //@ sharedWavefronts=16384 sharedWavefrontsIdeal=1024
}
void run(const cpx* x, cpx* y, int n) { corner_turn<<<dim3(n / TILE, n / TILE), dim3(TILE, 8)>>>(x, y, n); }
