//@case {"kernel": "turn"}
struct Square {
  float cell[32][32];
  __device__ float& at(int r, int c) { return cell[r][c]; }  //@ sharedWavefronts=4096 sharedWavefrontsIdeal=128
};
__global__ void turn(const Square* x, Square* y) {
  __shared__ Square square;
  square.at(threadIdx.y, threadIdx.x) = x[blockIdx.x].cell[threadIdx.y][threadIdx.x];
  __syncthreads();
  y[blockIdx.x].cell[threadIdx.y][threadIdx.x] = square.at(threadIdx.x, threadIdx.y);
}
