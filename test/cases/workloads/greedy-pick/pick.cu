// Places along a road from which no other chosen one is nearer than `apart`, the first ones first.
#include <cuda_runtime.h>

__global__ void near_ones(const float *place, int count, float apart, unsigned char *is_near)
{
    const int other = blockIdx.x * blockDim.x + threadIdx.x, one = blockIdx.y;
    if (other >= count) return;
    is_near[(size_t)one * count + other] = other > one && fabsf(place[one] - place[other]) < apart;
}

__global__ void choose(const unsigned char *is_near, int count, int *chosen, int *how_many)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        bool is_free = true;
        for (int k = 0; k < kept && is_free; ++k) is_free = !is_near[(size_t)chosen[k] * count + i];
        if (is_free) chosen[kept++] = i;
    }
    *how_many = kept;
}

void pick(const float *place, int count, float apart, unsigned char *is_near, int *chosen, int *how_many)
{
    near_ones<<<dim3((count + 127) / 128, count), 128>>>(place, count, apart, is_near);
    choose<<<1, 1>>>(is_near, count, chosen, how_many);
}
