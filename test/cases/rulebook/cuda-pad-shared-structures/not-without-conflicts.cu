//@case {"kernel": "mean"}
struct Point { float x, y; };
__global__ void mean(const float* x, float* y) {
  __shared__ Point points[128];
  int t = threadIdx.x;
  points[t].x = x[t];
  __syncthreads();
  y[t] = points[0].x;  //@ sharedWavefronts=8 sharedWavefrontsIdeal=8
}
