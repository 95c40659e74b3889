// Polygenic risk scores: the weighted sum of allele dosages of every person, for four traits at once.
//   dosage  [variants][people]   0, 1 or 2 copies
//   effect  [variants][TRAITS]   effect sizes of the study
//   score   [TRAITS][people]
#include <cuda_runtime.h>

#define TRAITS 4

__global__ void score_people(const unsigned char* dosage, const float* effect, float* score, int variants, int people)
{
    int person, variant, trait;

    person = threadIdx.x + blockDim.x * blockIdx.x;
    if (person >= people)
        return;

    for (trait = 0; trait < TRAITS; trait++)
        score[trait * people + person] = 0.0f;

    for (variant = 0; variant < variants; variant++) {
        const float copies = dosage[variant * people + person];
        for (trait = 0; trait < TRAITS; trait++)
            score[trait * people + person] += copies * effect[variant * TRAITS + trait];
    }
}

extern "C" void polygenic_scores(const unsigned char* dosage, const float* effect, float* score, int variants,
                                 int people)
{
    const int block = 128;
    const int grid = people / block + (people % block ? 1 : 0);
    score_people<<<grid, block>>>(dosage, effect, score, variants, people);
}
