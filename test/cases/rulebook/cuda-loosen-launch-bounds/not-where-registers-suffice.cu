//@case {"kernel": "sums", "facts": {"registers": 32}}
__global__ __launch_bounds__(128, 8) void sums(const float* x, float* y) {
  y[threadIdx.x] = x[threadIdx.x]; //@ instructions=90
}
