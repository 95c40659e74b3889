//@case {"kernel": "relax"}
__global__ void relax(float* u, const float* f, unsigned width, unsigned height, bool black) {
  unsigned y = blockIdx.y * 8 + threadIdx.y + 1, x = 1 + threadIdx.x + blockIdx.x * 32;
  bool mine = (y - x) % 2 == black;
  if (x < width - 1 && y < height - 1 && mine) { //@ divergentBranches=512 branches=512
    u[y * width + x] = 0.25f * (u[y * width + x - 1] + u[y * width + x + 1] - f[y * width + x]);
  }
}
