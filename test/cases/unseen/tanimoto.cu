// Chemical similarity: Tanimoto coefficient of a query molecule and each molecule of a library,
// over folded 2048-bit fingerprints.
#include <cuda_runtime.h>

typedef unsigned long long word_t;

template <int WORDS>
__global__ void tanimoto_scores(const word_t* library, const word_t* query, float* score, int molecules)
{
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= molecules) return;

    const word_t* fp = library + m * WORDS;
    int both = 0, either = 0;
    for (int w = 0; w < WORDS; w++) {
        const word_t a = fp[w];
        const word_t b = query[w];
        both += __popcll(a & b);
        either += __popcll(a | b);
    }
    score[m] = either == 0 ? 1.0f : (float)both / (float)either;
}

void screen(const word_t* library, const word_t* query, float* score, int molecules)
{
    tanimoto_scores<32><<<(molecules + 127) / 128, 128>>>(library, query, score, molecules);
}
