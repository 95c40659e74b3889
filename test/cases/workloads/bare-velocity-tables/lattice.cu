#include <cstdint>
#define NODES 19
typedef struct { int8_t cx, cy, cz; float w; } Velocity;
typedef struct lattice_desc {
    Velocity v[NODES];
    int opposite[NODES];
    float omega;
    int nx, ny, nz;
} lattice_desc;

extern "C" __global__ void collide(const lattice_desc lat, const float *__restrict__ f_in, float *__restrict__ f_out)
{
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    const int cells = lat.nx * lat.ny * lat.nz;
    if (cell >= cells) return;
    float rho = 0, ux = 0, uy = 0, uz = 0;
    for (int q = 0; q < NODES; ++q) {
        float f = f_in[(size_t)q * cells + cell];
        rho += f; ux += f * lat.v[q].cx; uy += f * lat.v[q].cy; uz += f * lat.v[q].cz;
    }
    float inv = 1.0f / (rho + 1e-6f);
    ux *= inv; uy *= inv; uz *= inv;
    for (int q = 0; q < NODES; ++q) {
        const Velocity c = lat.v[q];
        float cu = 3.0f * (c.cx * ux + c.cy * uy + c.cz * uz);
        float eq = c.w * rho * (1.0f + cu + 0.5f * cu * cu - 1.5f * (ux * ux + uy * uy + uz * uz));
        float f = f_in[(size_t)lat.opposite[q] * cells + cell];
        f_out[(size_t)q * cells + cell] = f - lat.omega * (f - eq);
    }
}
