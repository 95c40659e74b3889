#include <cuda_runtime.h>
#include "prefix_sum.hpp"

namespace {

constexpr unsigned kThreads = 128;
constexpr unsigned kChunk = 2 * kThreads;

// Work-efficient exclusive scan of 256 values a block (Blelloch); the block's total goes to `totals`.
__global__ void scan_chunks(const int* in, int* out, int* totals, unsigned n)
{
    __shared__ int s[kChunk];
    unsigned base = blockIdx.x * kChunk;
    unsigned t = threadIdx.x;
    s[2 * t]     = base + 2 * t     < n ? in[base + 2 * t]     : 0;
    s[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;

    unsigned stride = 1;
    for (unsigned d = kChunk >> 1; d > 0; d >>= 1, stride <<= 1) {
        __syncthreads();
        if (t < d) s[stride * (2 * t + 2) - 1] += s[stride * (2 * t + 1) - 1];
    }
    if (t == 0) {
        if (totals) totals[blockIdx.x] = s[kChunk - 1];
        s[kChunk - 1] = 0;
    }
    for (unsigned d = 1; d < kChunk; d <<= 1) {
        stride >>= 1;
        __syncthreads();
        if (t < d) {
            int a = s[stride * (2 * t + 1) - 1];
            s[stride * (2 * t + 1) - 1] = s[stride * (2 * t + 2) - 1];
            s[stride * (2 * t + 2) - 1] += a;
        }
    }
    __syncthreads();
    if (base + 2 * t     < n) out[base + 2 * t]     = s[2 * t];
    if (base + 2 * t + 1 < n) out[base + 2 * t + 1] = s[2 * t + 1];
}

__global__ void add_offsets(int* out, const int* offsets, unsigned n)
{
    unsigned i = blockIdx.x * kChunk + threadIdx.x;
    int offset = offsets[blockIdx.x];
    if (i < n) out[i] += offset;
    if (i + kThreads < n) out[i + kThreads] += offset;
}

}  // namespace

void exclusive_scan(const int* d_in, int* d_out, unsigned n)
{
    const unsigned blocks = (n + kChunk - 1) / kChunk;
    if (blocks == 0) return;
    if (blocks == 1) {
        scan_chunks<<<1, kThreads>>>(d_in, d_out, nullptr, n);
        return;
    }
    int *totals, *offsets;
    cudaMalloc(&totals, blocks * sizeof(int));
    cudaMalloc(&offsets, blocks * sizeof(int));
    scan_chunks<<<blocks, kThreads>>>(d_in, d_out, totals, n);
    exclusive_scan(totals, offsets, blocks);
    add_offsets<<<blocks, kThreads>>>(d_out, offsets, n);
    cudaFree(totals);
    cudaFree(offsets);
}
