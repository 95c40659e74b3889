//@case {"kernel": "sums", "facts": {"registers": 64, "spillStoreBytes": 360, "spillLoadBytes": 340}}
__global__ __launch_bounds__(1024) void sums(const float* x, float* y) {
  y[threadIdx.x] = x[threadIdx.x]; //@ instructions=90
}
