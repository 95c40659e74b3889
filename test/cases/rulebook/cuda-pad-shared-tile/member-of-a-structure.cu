//@case {"kernel": "turn"}
template <typename T, int Side>
struct Square {
  T cell[Side][Side];
  __device__ T& at(int r, int c) { return cell[r][c]; }  //@ sharedWavefronts=4096 sharedWavefrontsIdeal=128
};
__global__ void turn(const float* x, float* y, int n) {
  __shared__ Square<float, 32> square;
  int i = blockIdx.y * 32 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
  square.at(threadIdx.y, threadIdx.x) = x[i * n + j];
  __syncthreads();
  y[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = square.at(threadIdx.x, threadIdx.y);
}
