#pragma once

struct Beam {
    float height, angle;
};

extern __device__ float refracted(const Beam& beam, float index);
__device__ unsigned int scrambled(unsigned int number);
