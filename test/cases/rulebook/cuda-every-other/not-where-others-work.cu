//@case {"kernel": "update"}
__global__ void update(float* u, float* v, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  if (x & 1) u[x] *= 0.5f; //@ divergentBranches=512 branches=512
  v[x] = 1.0f;
}
