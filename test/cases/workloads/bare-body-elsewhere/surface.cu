#include "optics.cuh"

__device__ float refracted(const Beam& beam, float index)
{
    const float normal = beam.height / sqrtf(1.0f + beam.height * beam.height);
    return beam.angle - (1.0f - 1.0f / index) * normal;
}
