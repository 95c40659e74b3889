//@case {"kernel": "mean"}
__global__ void mean(const float* x, float* y) {
  __shared__ float points[256];
  points[2 * threadIdx.x] = x[threadIdx.x];  //@ sharedWavefronts=16 sharedWavefrontsIdeal=8
  __syncthreads();
  y[threadIdx.x] = points[2 * threadIdx.x];
}
