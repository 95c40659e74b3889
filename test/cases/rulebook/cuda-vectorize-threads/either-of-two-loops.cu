//@case {"kernel": "scale"}
__global__ void scale(const float* x, float* y, float by, size_t n) {
  if (n < 1000000) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * by;  //@ globalLoadRequests=4096 globalStoreRequests=4096 globalBytesRequested=1048576 instructions=40000
  } else {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
      y[i] = x[i] * by;
  }
}
