//@case {"kernel": "twice"}
__global__ void twice(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && n > 0) x[i] *= 2.0f;  //@ divergentBranches=1 branches=1024
}
