#include <cstdint>
#include <cuda_runtime.h>

namespace genome {

constexpr int K = 4;                       // bases per word
constexpr unsigned WORDS = 1u << (2 * K);  // 256 words

// One letter of the alphabet in two bits: A C G T.
__device__ inline unsigned encode(std::uint8_t base) { return (base >> 1) & 3u; }

// Counts each word of K letters that starts in [0, length - K].
__global__ void spectrum(const std::uint8_t* reads, unsigned long long length, unsigned* counts)
{
    auto start = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (start + K > length)
        return;
    unsigned word = 0;
#pragma unroll
    for (int k = 0; k < K; ++k)
        word = (word << 2) | encode(reads[start + k]);
    atomicAdd(counts + (word & (WORDS - 1)), 1u);
}

}  // namespace genome

void count_words(const std::uint8_t* reads, unsigned long long length, unsigned* counts)
{
    cudaMemset(counts, 0, genome::WORDS * sizeof(unsigned));
    const unsigned threads = 192;
    genome::spectrum<<<unsigned((length + threads - 1) / threads), threads>>>(reads, length, counts);
}
