#include <cuda_runtime.h>

template <unsigned int blockSize>
__global__ void reduce_sum(const float *g_idata, float *g_odata, unsigned int n)
{
    extern __shared__ float sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    float mySum = 0;

    while (i < n)
    {
        mySum += g_idata[i];
        if (i + blockSize < n)
            mySum += g_idata[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = mySum;
    __syncthreads();

    if (blockSize >= 512) { if (tid < 256) { sdata[tid] += sdata[tid + 256]; } __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) { sdata[tid] += sdata[tid + 128]; } __syncthreads(); }
    if (blockSize >= 128) { if (tid <  64) { sdata[tid] += sdata[tid +  64]; } __syncthreads(); }
    if (blockSize >=  64) { if (tid <  32) { sdata[tid] += sdata[tid +  32]; } __syncthreads(); }

    if (tid < 32)
    {
        float v = sdata[tid];
        for (int off = 16; off > 0; off >>= 1)
            v += __shfl_down_sync(0xffffffff, v, off);
        if (tid == 0)
            g_odata[blockIdx.x] = v;
    }
}

static unsigned int nextPow2(unsigned int x)
{
    --x;
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return ++x;
}

// d_partial has to hold 64 floats; the sum of all n is in *d_sum afterwards
void sumOnDevice(const float *d_in, float *d_partial, float *d_sum, unsigned int n)
{
    unsigned int threads = n < 1024 ? nextPow2((n + 1) / 2) : 512;
    if (threads < 32) threads = 32;
    unsigned int blocks = (n + threads * 2 - 1) / (threads * 2);
    if (blocks > 64) blocks = 64;
    size_t smem = threads * sizeof(float);

    switch (threads)
    {
    case 512: reduce_sum<512><<<blocks, threads, smem>>>(d_in, d_partial, n); break;
    case 256: reduce_sum<256><<<blocks, threads, smem>>>(d_in, d_partial, n); break;
    case 128: reduce_sum<128><<<blocks, threads, smem>>>(d_in, d_partial, n); break;
    case  64: reduce_sum< 64><<<blocks, threads, smem>>>(d_in, d_partial, n); break;
    case  32: reduce_sum< 32><<<blocks, threads, smem>>>(d_in, d_partial, n); break;
    }
    reduce_sum<32><<<1, 32, 32 * sizeof(float)>>>(d_partial, d_sum, blocks);
}
