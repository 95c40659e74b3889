// phi^4 theory on a periodic 4-D lattice: the force of the hybrid Monte Carlo step.
// Site s = x + nx * (y + ny * (z + nz * t)).

#define COORD_X(s) ((s) % nx)
#define COORD_Y(s) ((s) / nx % ny)
#define COORD_Z(s) ((s) / (nx * ny) % nz)
#define COORD_T(s) ((s) / (nx * ny * nz))
#define SITE(x, y, z, t) ((x) + nx * ((y) + ny * ((z) + nz * (t))))
#define UP(c, n) (((c) + 1) % (n))
#define DOWN(c, n) (((c) + (n) - 1) % (n))

__global__ void phi4_force(float *force, const float *phi, int nx, int ny, int nz, int nt,
                           float mass2, float lambda)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= nx * ny * nz * nt) return;

    int x = COORD_X(s), y = COORD_Y(s), z = COORD_Z(s), t = COORD_T(s);
    float p = phi[s];
    float hop = phi[SITE(UP(x, nx), y, z, t)] + phi[SITE(DOWN(x, nx), y, z, t)]
              + phi[SITE(x, UP(y, ny), z, t)] + phi[SITE(x, DOWN(y, ny), z, t)]
              + phi[SITE(x, y, UP(z, nz), t)] + phi[SITE(x, y, DOWN(z, nz), t)]
              + phi[SITE(x, y, z, UP(t, nt))] + phi[SITE(x, y, z, DOWN(t, nt))];
    force[s] = hop - (8.0f + mass2) * p - lambda * p * p * p;
}

void hmc_force(float *force, const float *phi, int nx, int ny, int nz, int nt, float mass2, float lambda)
{
    int volume = nx * ny * nz * nt;
    phi4_force<<<(volume + 127) / 128, 128>>>(force, phi, nx, ny, nz, nt, mass2, lambda);
}
