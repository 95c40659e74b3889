#define AT(i, j, k) ((k) * nx * ny + (j) * nx + (i))

__global__ void diffuse3d(const float *u, float *un, int nx, int ny, int nz, float coef)
{
  int i = blockDim.x * blockIdx.x + threadIdx.x + 1;
  int j = blockDim.y * blockIdx.y + threadIdx.y + 1;
  int k = blockDim.z * blockIdx.z + threadIdx.z + 1;
  if (i < nx - 1 && j < ny - 1 && k < nz - 1) {
    float lap = u[AT(i - 1, j, k)] + u[AT(i + 1, j, k)]
              + u[AT(i, j - 1, k)] + u[AT(i, j + 1, k)]
              + u[AT(i, j, k - 1)] + u[AT(i, j, k + 1)]
              - 6.0f * u[AT(i, j, k)];
    un[AT(i, j, k)] = u[AT(i, j, k)] + coef * lap;
  }
}

void step(const float *u, float *un, int nx, int ny, int nz, float coef)
{
  dim3 block(8, 8, 8);
  dim3 grid((nx + 7) / 8, (ny + 7) / 8, (nz + 7) / 8);
  diffuse3d<<<grid, block>>>(u, un, nx, ny, nz, coef);
}
