//@case {"kernel": "total", "spec": {"run": {"kind": "entry", "entry": {"call": "kernels/case.cu::add_up", "arguments": []}}}}
// The loads of the walk stand in a function, and the sum is put together by another.
__device__ float term(const float* x, int i) {
  const float own = x[i];  //@ globalLoadRequests=4000 instructions=40000
  return own * own + 1.f;
}
__device__ double of_warp(double sum) {
  for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffffu, sum, o);
  return sum;
}
__global__ void total(const float* x, double* out, int n) {
  __shared__ double of_warps[8];
  double sum = 0.0;
  for (int i = threadIdx.x; i < n; i += 256) sum += term(x, i);
  sum = of_warp(sum);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w) sum += of_warps[w];
    out[0] = sum;
  }
}
void add_up(const float* x, double* out, int n) { total<<<1, 256>>>(x, out, n); }
