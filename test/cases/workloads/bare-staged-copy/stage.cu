// what a kernel that only moves a picture reaches, for comparison with those that compute
constexpr unsigned EDGE = 32;
constexpr unsigned LINES = 8;

__global__ void stage_copy(float* __restrict__ to, const float* __restrict__ from, unsigned wide, unsigned high)
{
    __shared__ float held[EDGE][EDGE];
    const unsigned column = blockIdx.x * EDGE + threadIdx.x;
    const unsigned first = blockIdx.y * EDGE + threadIdx.y;
    for (unsigned step = 0; step < EDGE; step += LINES)
        if (column < wide && first + step < high)
            held[threadIdx.y + step][threadIdx.x] = from[(first + step) * wide + column];
    __syncthreads();
    for (unsigned step = 0; step < EDGE; step += LINES)
        if (column < wide && first + step < high)
            to[(first + step) * wide + column] = held[threadIdx.y + step][threadIdx.x];
}
