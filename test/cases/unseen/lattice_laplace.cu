#include <cuda_runtime.h>

/* Lattice field theory: action of -laplace + m^2 on a real scalar field, 4-D torus.
   The x direction runs fastest, t slowest. */

struct Extent { int x, y, z, t; };

__device__ int site(const Extent& L, int x, int y, int z, int t)
{
  return ((t * L.z + z) * L.y + y) * L.x + x;
}

__global__ void kinetic(const float* __restrict__ phi, float* __restrict__ out, Extent L, float mass2)
{
  const int volume = L.x * L.y * L.z * L.t;
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < volume)
  {
    const int x = s % L.x;
    const int y = s / L.x % L.y;
    const int z = s / (L.x * L.y) % L.z;
    const int t = s / (L.x * L.y * L.z);

    float hop = phi[site(L, (x + 1) % L.x, y, z, t)];
    hop += phi[site(L, (x + L.x - 1) % L.x, y, z, t)];
    hop += phi[site(L, x, (y + 1) % L.y, z, t)];
    hop += phi[site(L, x, (y + L.y - 1) % L.y, z, t)];
    hop += phi[site(L, x, y, (z + 1) % L.z, t)];
    hop += phi[site(L, x, y, (z + L.z - 1) % L.z, t)];
    hop += phi[site(L, x, y, z, (t + 1) % L.t)];
    hop += phi[site(L, x, y, z, (t + L.t - 1) % L.t)];

    out[s] = (8.0f + mass2) * phi[s] - hop;
  }
}

void apply_kinetic(const float* phi, float* out, int lx, int ly, int lz, int lt, float mass2)
{
  const Extent L = {lx, ly, lz, lt};
  const int volume = lx * ly * lz * lt;
  kinetic<<<(volume + 127) / 128, 128>>>(phi, out, L, mass2);
}
