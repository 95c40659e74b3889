__managed__ int total = 5;
__managed__ float weights[3] = {1.5F, 0, 2.5F};
__device__ int counts[4] = {10, 20, 30, 40};
static __device__ int *fourth = counts + 3;
__device__ int **chain = &fourth;
