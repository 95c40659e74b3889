/* vote counts of an ensemble: every model votes for a class of each sample,
   confusion of predicted against true class over the whole set */
#include <cuda_runtime.h>

#define CLASSES 4
#define CELLS   (CLASSES * CLASSES)

__global__ void confusion(const int *truth, const int *predicted, unsigned long long *matrix, int samples)
{
    __shared__ unsigned long long cell[CELLS];
    int tid = threadIdx.y * blockDim.x + threadIdx.x;

    for (int c = tid; c < CELLS; c += blockDim.x * blockDim.y)
        cell[c] = 0;
    __syncthreads();

    int first = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    for (int s = first; s < samples; s += gridDim.x * blockDim.x * blockDim.y) {
        int t = truth[s], p = predicted[s];
        if (t >= 0 && t < CLASSES && p >= 0 && p < CLASSES)
            atomicAdd(&cell[t * CLASSES + p], 1ULL);
    }
    __syncthreads();

    for (int c = tid; c < CELLS; c += blockDim.x * blockDim.y)
        if (cell[c])
            atomicAdd(&matrix[c], cell[c]);
}

void ensemble_confusion(const int *truth, const int *predicted, unsigned long long *matrix, int samples)
{
    dim3 block(32, 8);
    confusion<<<120, block>>>(truth, predicted, matrix, samples);
}
