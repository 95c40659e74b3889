// Each shopper's basket begins at first[s]; the last basket goes on to the end of the list of articles.
__global__ void basket_profiles(int shoppers, int listed, int traits, const long long* __restrict__ first,
                                const int* __restrict__ article, const float* __restrict__ trait_of,
                                float* __restrict__ profile)
{
    const int s = blockIdx.x;
    const long long stop = (s + 1 == shoppers) ? (long long)listed : first[s + 1];
    for (int t = threadIdx.x; t < traits; t += blockDim.x) {
        float sum = 0.0f;
        for (long long k = first[s]; k < stop; ++k) sum += trait_of[(size_t)article[k] * traits + t];
        profile[(size_t)s * traits + t] = sum;
    }
}
