//@case {"kernel": "twice"}
__global__ void twice(float* x, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;  //@ instructions=4096
}
