#define IDX(i, j, k) ((i) + nx * ((j) + ny * (k)))

__global__ void diffuse3d(const float* __restrict__ u, float* __restrict__ next, int nx, int ny, int nz, float c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i <= 0 || j <= 0 || k <= 0 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
  float lap = u[IDX(i - 1, j, k)] + u[IDX(i + 1, j, k)] + u[IDX(i, j - 1, k)] + u[IDX(i, j + 1, k)] +
              u[IDX(i, j, k - 1)] + u[IDX(i, j, k + 1)] - 6.0f * u[IDX(i, j, k)];
  next[IDX(i, j, k)] = u[IDX(i, j, k)] + c * lap;
}

void step3d(const float* u, float* next, int nx, int ny, int nz, float c) {
  dim3 threads(32, 4, 2);
  dim3 blocks((nx + 31) / 32, (ny + 3) / 4, (nz + 1) / 2);
  diffuse3d<<<blocks, threads>>>(u, next, nx, ny, nz, c);
}
