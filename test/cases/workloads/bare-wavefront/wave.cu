#define UNSEEN (-1)
// Cells that the last ring of the wave reached pass it on to their neighbours.
__global__ void spread_wave(const unsigned* __restrict__ begin, const unsigned* __restrict__ beside,
                            int* ring_of, int* grew, int ring, unsigned cells)
{
    const unsigned me = blockDim.x * blockIdx.x + threadIdx.x;
    if (me >= cells) return;
    if (ring_of[me] != ring) return;
    for (unsigned at = begin[me]; at != begin[me + 1]; ++at) {
        const unsigned next = beside[at];
        if (ring_of[next] == UNSEEN) {
            ring_of[next] = ring + 1;
            *grew = 1;
        }
    }
}
