//@case {"kernel": "twice"}
__global__ void twice(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;  //@ instructions=4096
}

void run(float* x, int n) {
  twice<<<(n + 255) / 256, 256>>>(x, n);
}
