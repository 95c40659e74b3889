//@case {"kernel": "fill"}
__global__ void fill(float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = 1.0f;  //@ instructions=4000 threadInstructions=100000
}

void run(float* out, int n) {
  fill<<<64, 100>>>(out, n);
}
