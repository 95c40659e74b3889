#include "optics.cuh"

/* Linked with surface.cu and scramble.cu, as device code (-rdc=true). */
__global__ void through_lens(const Beam* beams, float* angles, unsigned int* seeds, int count, float index)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    angles[i] = refracted(beams[i], index);
    seeds[i] = scrambled(i);
}
