// Eight score bands a block, in shared counters.
template <int BANDS>
__global__ void bands(const float* score, int* total, int n)
{
    __shared__ int band[BANDS];
    if (threadIdx.x < BANDS) band[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int b = static_cast<int>(score[i] * BANDS);
        atomicAdd_block(&band[b < 0 ? 0 : b >= BANDS ? BANDS - 1 : b], 1);
    }
    __syncthreads();
    if (threadIdx.x < BANDS) atomicAdd(total + threadIdx.x, band[threadIdx.x]);
}
void score_bands(const float* score, int* total, int n) { bands<8><<<216, 256>>>(score, total, n); }
