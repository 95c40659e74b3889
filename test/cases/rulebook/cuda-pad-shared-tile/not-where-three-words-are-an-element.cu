//@case {"kernel": "turn"}
__global__ void turn(const float3* x, float3* y, int n) {
  __shared__ float3 tile[16][17];
  tile[threadIdx.y][threadIdx.x] = x[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x]; //@ sharedWavefronts=3000 sharedWavefrontsIdeal=3000
  __syncthreads();
  y[(blockIdx.x * 16 + threadIdx.y) * n + blockIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; //@ sharedWavefronts=9000 sharedWavefrontsIdeal=3000
}
void run(const float3* x, float3* y, int n) { turn<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(x, y, n); }
