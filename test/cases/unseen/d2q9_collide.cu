// D2Q9 BGK collision, third order equilibrium, constant body force in x.
// f is stored direction by direction: f[q * nx * ny + y * nx + x]
#include <cuda_runtime.h>
#include <math.h>

#define NQ 9

__constant__ float W[NQ] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
__constant__ int EX[NQ] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int EY[NQ] = {0, 0, 1, 0, -1, 1, 1, -1, -1};

// eq. (2.14) of the thesis
__device__ float equilibrium(int q, float rho, float ux, float uy, float usq) {
  float eu = EX[q] * ux + EY[q] * uy;
  return W[q] * rho *
         (1.0f + 3.0f * eu + 4.5f * powf(eu, 2.0f) - 1.5f * usq + 4.5f * powf(eu, 3.0f) - 4.5f * eu * usq);
}

__global__ void collide(const float* __restrict__ f_in, float* __restrict__ f_out, float* __restrict__ density,
                        int nx, int ny, float tau, float gx) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;

  int cell = y * nx + x;
  int size = nx * ny;

  float f[NQ];
  float rho = 0.0f, ux = 0.0f, uy = 0.0f;
#pragma unroll
  for (int q = 0; q < NQ; q++) {
    f[q] = f_in[q * size + cell];
    rho += f[q];
    ux += EX[q] * f[q];
    uy += EY[q] * f[q];
  }
  ux = ux / rho + tau * gx;
  uy = uy / rho;
  float usq = powf(ux, 2.0f) + powf(uy, 2.0f);

  float omega = 1.0f / tau;
#pragma unroll
  for (int q = 0; q < NQ; q++) {
    f_out[q * size + cell] = f[q] - omega * (f[q] - equilibrium(q, rho, ux, uy, usq));
  }
  density[cell] = rho;
}

void collision_step(const float* f_in, float* f_out, float* density, int nx, int ny, float tau, float gx) {
  dim3 block(32, 4);
  dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
  collide<<<grid, block>>>(f_in, f_out, density, nx, ny, tau, gx);
}
