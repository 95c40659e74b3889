//@case {"kernel": "smooth"}
__global__ void smooth(const float* u, float* v, int nx, int ny) {
  int j = 1 + blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y + 2;
  if (i <= nx && j <= ny) v[i + nx * j] = 0.5f * u[i + nx * j]; //@ globalLoadSectors=4096 globalLoadSectorsIdeal=512 globalStoreSectors=4096 globalStoreSectorsIdeal=512
}
void run(const float* u, float* v, int nx, int ny) {
  smooth<<<dim3((ny + 31) / 32, (nx + 7) / 8), dim3(32, 8)>>>(u, v, nx, ny);
}
