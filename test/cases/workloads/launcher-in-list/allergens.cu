#include <cuda_runtime.h>
#include <cstdint>

namespace kitchen {

// A dish is refused when its ingredient is among those the guest must not have.
__global__ void refuse_kernel(const int32_t* __restrict__ ingredient, const int32_t* __restrict__ banned,
                              int bannedCount, uint8_t* refused, int dishes)
{
    const int dish = blockIdx.x * blockDim.x + threadIdx.x;
    if (dish >= dishes) return;
    const int32_t mine = ingredient[dish];
    uint8_t is = 0;
    for (int b = 0; b < bannedCount; ++b) {
        if (banned[b] != mine) continue;
        is = 1;
        break;
    }
    refused[dish] = is;
}

void refuseDishes(const int32_t* ingredient, const int32_t* banned, int bannedCount, uint8_t* refused, int dishes,
                  cudaStream_t stream)
{
    if (dishes <= 0) return;
    refuse_kernel<<<(dishes + 127) / 128, 128, 0, stream>>>(ingredient, banned, bannedCount, refused, dishes);
}

}  // namespace kitchen
