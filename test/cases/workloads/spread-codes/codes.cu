// Numbers of a group of 64 as differences to the least one, in as many bytes each as the widest needs.
#include <cuda_runtime.h>

__global__ void widths(const unsigned *numbers, int count, unsigned *least, unsigned *bytes)
{
    __shared__ unsigned low[64], high[64];
    const int t = threadIdx.x, at = min(blockIdx.x * 64 + t, count - 1);
    low[t] = high[t] = numbers[at];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) {
            low[t] = min(low[t], low[t + half]);
            high[t] = max(high[t], high[t + half]);
        }
        __syncthreads();
    }
    if (t > 0) return;
    unsigned need = 0;
    for (unsigned rest = high[0] - low[0]; rest != 0; rest >>= 8) ++need;
    least[blockIdx.x] = low[0];
    bytes[blockIdx.x] = need;
}

__global__ void write_codes(const unsigned *numbers, int count, const unsigned *least, const unsigned *bytes,
                            unsigned char *codes)
{
    const int at = blockIdx.x * 64 + threadIdx.x;
    if (at >= count) return;
    unsigned rest = numbers[at] - least[blockIdx.x];
    for (unsigned b = 0; b < bytes[blockIdx.x]; ++b, rest >>= 8)
        codes[blockIdx.x * 256 + threadIdx.x * bytes[blockIdx.x] + b] = (unsigned char)rest;
}

// codes: room for 256 bytes of each group
void encode(const unsigned *numbers, int count, unsigned *least, unsigned *bytes, unsigned char *codes,
            cudaStream_t stream)
{
    const int groups = (count + 63) / 64;
    widths<<<groups, 64, 0, stream>>>(numbers, count, least, bytes);
    write_codes<<<groups, 64, 0, stream>>>(numbers, count, least, bytes, codes);
}
