//@case {"kernel": "relax"}
__global__ void relax(const float* u, float* v, int nx, int ny, int nz) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int i = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= nx || j >= ny || k >= nz) return;
  v[(k * ny + j) * nx + i] = 0.5f * u[(k * ny + j) * nx + i];  //@ globalLoadSectors=4096 globalLoadSectorsIdeal=512
}
void run(const float* u, float* v, int nx, int ny, int nz) {
  dim3 block(32, 2, 4);
  dim3 grid((nz + 31) / 32, (ny + 1) / 2, (nx + 3) / 4);
  relax<<<grid, block>>>(u, v, nx, ny, nz);
}
