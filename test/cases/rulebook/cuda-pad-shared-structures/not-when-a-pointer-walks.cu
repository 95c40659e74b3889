//@case {"kernel": "mean"}
struct Point { float x, y; };
__global__ void mean(const float* x, float* y) {
  __shared__ Point points[128];
  float* words = (float*)points;
  words += threadIdx.x;
  *words = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = points[threadIdx.x].x;  //@ sharedWavefronts=16 sharedWavefrontsIdeal=8
}
