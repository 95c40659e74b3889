struct Box {
    float lo, hi;
};

struct Counters {
    int *inside;
    int *outside;
};

// How many walkers are still in the box.
__global__ void CountWalkers(const float *positions, int walkers, Box box, Counters counters)
{
    for (int w = threadIdx.x + blockIdx.x * blockDim.x; w < walkers; w += blockDim.x * gridDim.x) {
        const float p = positions[w];
        if (p > box.lo && p < box.hi)
            atomicAdd(counters.inside, 1);
        else
            atomicAdd(counters.outside, 1);
    }
}

void Count(const float *positions, int walkers, float lo, float hi, int *inside, int *outside)
{
    Box box = {lo, hi};
    Counters counters = {inside, outside};
    CountWalkers<<<216, 256>>>(positions, walkers, box, counters);
}
