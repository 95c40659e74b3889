// Scores every position of a sequence against a motif, given as a matrix of counts (one row a column of the
// motif, A C G T).  The sequence is coded with two bits a base, one base a byte.
#include <cuda_runtime.h>

namespace motif {

constexpr float kPseudoCount = 0.25f;

template <int BlockSize>
__global__ void score_positions(const unsigned char* __restrict__ bases, const int* __restrict__ counts,
                                const float* __restrict__ background, float* __restrict__ scores,
                                int positions, int motif_length)
{
    const int start = blockIdx.x * BlockSize + threadIdx.x;
    if (start >= positions) return;

    float score = 0.f;
    for (int column = 0; column < motif_length; ++column) {
        const int base = bases[start + column] & 3;
        const int* row = counts + 4 * column;
        const int seen = row[0] + row[1] + row[2] + row[3];
        const float frequency = (row[base] + kPseudoCount) / (seen + 4.f * kPseudoCount);
        score += log2f(frequency / background[base]);
    }
    scores[start] = score;
}

/// bases holds positions + motif_length - 1 bytes.
void scan(const unsigned char* bases, const int* counts, const float* background, float* scores, int positions,
          int motif_length)
{
    constexpr int block = 192;
    score_positions<block><<<(positions + block - 1) / block, block>>>(bases, counts, background, scores,
                                                                       positions, motif_length);
}

}  // namespace motif
