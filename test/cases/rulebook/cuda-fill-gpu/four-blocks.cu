//@case {"kernel": "twice"}
__global__ void twice(float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] *= 2.0f;  //@ instructions=4096
}

void run(float* x, int n) {
  dim3 grid(4);
  twice<<<grid, 256>>>(x, n);
}
