//@case {"kernel": "mean", "facts": {"sharedBytes": 40000}}
struct Point { float x, y; };
__global__ void mean(const float* x, float* y) {
  __shared__ Point points[5000];
  int t = threadIdx.x;
  points[t].x = x[t];
  __syncthreads();
  y[t] = points[t + 1].x;  //@ sharedWavefronts=16 sharedWavefrontsIdeal=8
}
