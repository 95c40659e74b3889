//@case {"kernel": "mean"}
template <typename T>
struct Pair {
  T first, second;
};
__global__ void mean(const double* x, double* y) {
  int t = threadIdx.x;
  __shared__ Pair<double> pairs[256];
  pairs[t] = {x[t], x[t + 256]};
  __syncthreads();
  y[t] = pairs[t].first + pairs[255 - t].second;  //@ sharedWavefronts=64 sharedWavefrontsIdeal=32
}
