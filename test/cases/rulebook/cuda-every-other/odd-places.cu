//@case {"kernel": "merge"}
__global__ void merge(float* x, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i + 1 >= n || i >= n || !(i & 1)) return; //@ divergentBranches=512 branches=512
  x[i] += x[i + 1];
}
