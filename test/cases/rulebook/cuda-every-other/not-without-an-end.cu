//@case {"kernel": "update"}
__global__ void update(float* u, int colour) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if ((x & 1) == colour) return; //@ divergentBranches=512 branches=512
  u[x] = 0.5f * u[x ^ 1];
}
