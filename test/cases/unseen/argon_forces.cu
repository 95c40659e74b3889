// Lennard-Jones forces of the solute on every argon atom; four atoms a thread, the solute through shared memory.
#include <cuda_runtime.h>

#define TPB 128
#define ATOMS 4

// Eight resident blocks and more: occupancy is what hides the latency.
__global__ void __launch_bounds__(TPB, 16)
lj_forces(const float4* __restrict__ pos, const float4* __restrict__ solute, float4* __restrict__ force, int n, int m,
          float sigma2, float eps, float rc2)
{
  __shared__ float4 partner[TPB];
  const int base = blockIdx.x * TPB * ATOMS + threadIdx.x;

  float px[ATOMS], py[ATOMS], pz[ATOMS];
  float fx[ATOMS], fy[ATOMS], fz[ATOMS], energy[ATOMS];
#pragma unroll
  for (int a = 0; a < ATOMS; ++a) {
    const int i = base + a * TPB;
    const float4 p = i < n ? pos[i] : make_float4(1e6f + i, 0.f, 0.f, 0.f);
    px[a] = p.x;
    py[a] = p.y;
    pz[a] = p.z;
    fx[a] = fy[a] = fz[a] = energy[a] = 0.f;
  }

  for (int tile = 0; tile < m; tile += TPB) {
    const int mine = tile + threadIdx.x;
    partner[threadIdx.x] = mine < m ? solute[mine] : make_float4(-1e6f, 0.f, 0.f, 0.f);
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < TPB; ++j) {
      const float4 q = partner[j];
#pragma unroll
      for (int a = 0; a < ATOMS; ++a) {
        const float dx = px[a] - q.x, dy = py[a] - q.y, dz = pz[a] - q.z;
        const float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < rc2 && r2 > 1e-6f) {
          const float s2 = sigma2 / r2;
          const float s6 = s2 * s2 * s2;
          const float scale = 24.f * eps * s6 * (2.f * s6 - 1.f) / r2;
          fx[a] += scale * dx;
          fy[a] += scale * dy;
          fz[a] += scale * dz;
          energy[a] += 2.f * eps * s6 * (s6 - 1.f);
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int a = 0; a < ATOMS; ++a) {
    const int i = base + a * TPB;
    if (i < n) force[i] = make_float4(fx[a], fy[a], fz[a], energy[a]);
  }
}

void compute_forces(const float4* pos, const float4* solute, float4* force, int n, int m, float sigma, float eps,
                    float cutoff)
{
  lj_forces<<<(n + TPB * ATOMS - 1) / (TPB * ATOMS), TPB>>>(pos, solute, force, n, m, sigma * sigma, eps,
                                                                  cutoff * cutoff);
}
