#include <cuda_runtime.h>
#include <cstdint>

namespace qc {

enum Flag : int { kGood, kLow, kHigh, kJump, kStuck, kMissing, kFlags };

__device__ Flag classify(float value, float before, float low, float high, float jump)
{
    if (value != value) return kMissing;
    if (value < low) return kLow;
    if (value > high) return kHigh;
    const float step = value - before;
    if (step == 0.0f) return kStuck;
    return step * step > jump * jump ? kJump : kGood;
}

__global__ void flag_series(const float* series, int* flags, float low, float high, float jump, int64_t count)
{
    __shared__ int tally[kFlags];
    const int me = threadIdx.x;
    if (me < kFlags) tally[me] = 0;
    __syncthreads();

    const int64_t width = static_cast<int64_t>(gridDim.x) * blockDim.x;
    int64_t at = static_cast<int64_t>(blockIdx.x) * blockDim.x + me;
    while (at < count) {
        const float before = at > 0 ? series[at - 1] : series[at] + 1.0f;
        atomicAdd(tally + classify(series[at], before, low, high, jump), 1);
        at += width;
    }

    __syncthreads();
    if (me < kFlags && tally[me] > 0) atomicAdd(flags + me, tally[me]);
}

}  // namespace qc

void quality(const float* series, int* flags, float low, float high, float jump, int64_t count)
{
    qc::flag_series<<<216, 192>>>(series, flags, low, high, jump, count);
}
