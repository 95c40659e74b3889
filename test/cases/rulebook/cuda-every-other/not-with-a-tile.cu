//@case {"kernel": "update"}
__global__ void update(float* u, int colour, int width, int height) {
  __shared__ float row[32];
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  row[threadIdx.x] = u[x];
  __syncthreads();
  if (x >= width) return;
  if ((x & 1) == colour) return; //@ divergentBranches=512 branches=512
  u[x] = row[threadIdx.x ^ 1];
}
