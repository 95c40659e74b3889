//@case {"kernel": "mix"}
__global__ void mix(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i & 1) x[i] = sinf(x[i]);  //@ divergentBranches=1024 branches=1024
  else x[i] = cosf(x[i]);
}
void run(float* x, int n) { mix<<<(n + 255) / 256, 256>>>(x, n); }
