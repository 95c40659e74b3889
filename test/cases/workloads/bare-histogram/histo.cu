// values in [0, 1)
__global__ void histo_global(const float *samples, int num_samples, unsigned int *bins, int num_bins)
{
    int idx = threadIdx.x + blockDim.x * blockIdx.x;
    int step = blockDim.x * gridDim.x;
    while (idx < num_samples) {
        int b = (int)(samples[idx] * num_bins);
        b = b < 0 ? 0 : (b >= num_bins ? num_bins - 1 : b);
        atomicAdd(&bins[b], 1u);
        idx += step;
    }
}
