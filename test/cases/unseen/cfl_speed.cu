/* Finite-volume flow solver: fastest signal of each cell, for the time step,
 * and the stagnation pressure that the output wants anyway. */
#include <cuda_runtime.h>

typedef struct {
    float rho;            /* density */
    float mx, my, mz;     /* momentum */
    float internal;       /* internal energy per volume */
    float soot;           /* transported scalars */
    float fuel;
    float level_set;
    float volume;
    float porosity;
} cell_t;

#define GAMMA 1.4f

__global__ void wave_speed(const cell_t *cells, float *speed, float *stagnation, int n)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float rho, inv_rho, vx, vy, vz, v2, p, sound;

    if (c >= n)
        return;

    rho = cells[c].rho;
    inv_rho = 1.0f / rho;
    vx = cells[c].mx * inv_rho;
    vy = cells[c].my * inv_rho;
    vz = cells[c].mz * inv_rho;
    v2 = vx * vx + vy * vy + vz * vz;

    p = (GAMMA - 1.0f) * cells[c].internal;
    sound = sqrtf(GAMMA * p * inv_rho);

    speed[c] = sqrtf(v2) + sound;
    stagnation[c] = p + 0.5f * rho * v2;
}

extern "C" void launch_wave_speed(const cell_t *cells, float *speed, float *stagnation, int n)
{
    wave_speed<<<(n + 255) / 256, 256>>>(cells, speed, stagnation, n);
}
