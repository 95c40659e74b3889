#include <cstdint>

// A set of visitors with open addressing: the number of slots is a power of two, free ones hold all ones.
static __device__ uint32_t spread(uint64_t id)
{
    id ^= id >> 31;
    id *= 0x7fb5d329728ea185ull;
    return static_cast<uint32_t>(id >> 32);
}

__global__ void add_visitors(const uint64_t* ids, int count, unsigned long long* slot, uint32_t slots)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    const unsigned long long mine = ids[at];
    for (uint32_t place = spread(mine) & (slots - 1);; place = (place + 1) & (slots - 1)) {
        const unsigned long long there = atomicCAS(slot + place, ~0ull, mine);
        if (there == ~0ull || there == mine) break;
    }
}

void collectVisitors(const uint64_t* ids, int count, unsigned long long* slot, uint32_t slots)
{
    cudaMemset(slot, 0xff, slots * sizeof(*slot));
    add_visitors<<<(count + 127) / 128, 128>>>(ids, count, slot, slots);
}
