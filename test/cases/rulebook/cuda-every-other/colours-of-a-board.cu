//@case {"kernel": "update"}
__global__ void update(signed char* spins, int colour, int width, int height, int step) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  if (((x + y) & 1) != colour) return; //@ divergentBranches=512 branches=512
  const int left = x == 0 ? width - 1 : x - 1, right = x + 1 == width ? 0 : x + 1;
  const int sum = spins[y * width + left] + spins[y * width + right];
  if (sum * spins[y * width + x] < step) spins[y * width + x] = -spins[y * width + x];
}
