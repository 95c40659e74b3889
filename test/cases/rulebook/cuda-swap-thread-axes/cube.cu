//@case {"kernel": "relax"}
__global__ void relax(const float* u, float* v, int nx, int ny, int nz) {
  int k = blockIdx.x * 8 + threadIdx.x;
  int j = blockIdx.y * 8 + threadIdx.y;
  int i = blockIdx.z * 8 + threadIdx.z;
  if (i < nx && j < ny && k < nz)
    v[(k * ny + j) * nx + i] = 0.5f * u[(k * ny + j) * nx + i];  //@ globalLoadSectors=4096 globalLoadSectorsIdeal=512
}
void run(const float* u, float* v, int nx, int ny, int nz) {
  relax<<<dim3((nz + 7) / 8, (ny + 7) / 8, (nx + 7) / 8), dim3(8, 8, 8)>>>(u, v, nx, ny, nz);
}
