#include <cuda_runtime.h>

struct Basket {
    unsigned long long grams;
    unsigned long long oysters;
};

// Oysters below the least weight go back into the sea.
__global__ void sort_catch(const unsigned char* bed, const int* weight, Basket* basket, int least, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || weight[i] < least) return;
    Basket& own = basket[bed[i]];
    atomicAdd(&own.grams, static_cast<unsigned long long>(weight[i]));
    atomicAdd(&own.oysters, 1ull);
}

void sortCatch(const unsigned char* bed, const int* weight, Basket* basket, int beds, int least, int n, cudaStream_t s)
{
    if (beds < 1 || beds > 256 || n < 1) return;
    cudaMemsetAsync(basket, 0, beds * sizeof(Basket), s);
    sort_catch<<<(n + 255) / 256, 256, 0, s>>>(bed, weight, basket, least, n);
}
