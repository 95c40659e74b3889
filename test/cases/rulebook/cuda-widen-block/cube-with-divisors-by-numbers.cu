//@case {"kernel": "relax"}
__global__ void relax(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  const int z = blockIdx.z * blockDim.z + threadIdx.z + 1;
  if (x < nx - 1 && y < ny - 1 && z < nz - 1) {
    const int at = (z * ny + y) * nx + x;
    out[at] = 0.25f * (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx * ny]);  //@ instructions=4000 threadInstructions=64000
  }
}

void run(const float* in, float* out, int nx, int ny, int nz) {
  dim3 block(8, 8, 8);
  dim3 grid((nx + 7) / 8, (ny + 7) / 8, (nz + 7) / 8);
  relax<<<grid, block>>>(in, out, nx, ny, nz);
}
