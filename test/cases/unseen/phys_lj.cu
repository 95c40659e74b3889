#include <math.h>

// Lennard-Jones energy of each atom with all others (reduced units, no cutoff)
__global__ void lj_energy(const float* x, const float* y, const float* z, float* e, int natoms)
{
    int i = blockIdx.x*blockDim.x + threadIdx.x;
    if (i >= natoms) return;
    float xi = x[i], yi = y[i], zi = z[i];
    float ei = 0;
    for (int j = 0; j < natoms; j++) {
        if (j == i) continue;
        float dx = xi - x[j];
        float dy = yi - y[j];
        float dz = zi - z[j];
        float r2 = dx*dx + dy*dy + dz*dz + 0.01;
        float s6 = 1.0/(r2*r2*r2);
        ei += 4.0*(s6*s6 - s6);
    }
    e[i] = 0.5*ei;
}

void energies(const float* x, const float* y, const float* z, float* e, int natoms)
{
    int threads = 128;
    int blocks = (natoms + threads - 1)/threads;
    lj_energy<<<blocks, threads>>>(x, y, z, e, natoms);
}
