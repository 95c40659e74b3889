//@case {"kernel": "mix"}
__global__ void mix(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = __shfl_xor_sync(0xffffffffu, x[i], 1);
  if (i % 2 == 0) x[i] = sinf(v);  //@ divergentBranches=1024 branches=1024
  else x[i] = cosf(v);
}
void run(float* x, int n) { mix<<<(n + 255) / 256, 256>>>(x, n); }
