#include "histogram.cuh"

__global__ void histogram_kernel(const int* data, int n, unsigned* bins, int nbins, int lo, int hi)
{
    extern __shared__ unsigned local[];
    for (int b = threadIdx.x; b < nbins; b += blockDim.x) local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int bin = (data[i] - lo) * nbins / (hi - lo);
        atomicAdd(local + bin, 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < nbins; b += blockDim.x) atomicAdd(bins + b, local[b]);
}

void launch_histogram(const int* data, int n, unsigned* bins, int nbins, int lo, int hi)
{
    const int block = 192;
    const int grid = std::min(64, (n + block - 1) / block);
    histogram_kernel<<<grid, block, nbins * sizeof(unsigned)>>>(data, n, bins, nbins, lo, hi);
}
