#include <cuda_runtime.h>

__global__ void contrib(const float* pr, const int* deg, float* c, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = deg[i] > 0 ? pr[i] / deg[i] : 0.f;
}

// warp per vertex
__global__ void gather(const int* start, const int* src, const float* c, float* pr, int n, float d) {
    int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int lane = threadIdx.x & 31;
    if (w >= n) return;
    const int s = start[w];
    const int cnt = start[w + 1] - s;
    float acc = 0;
    for (int i = lane; i < cnt; i += 32) acc += c[src[s + i]];
    for (int o = 16; o; o >>= 1) acc += __shfl_down_sync(~0u, acc, o);
    if (lane == 0) pr[w] = (1 - d) / n + d * acc;
}

extern "C" void pagerank(const int* start, const int* src, const int* deg, float* pr, float* tmp, int n, int iters)
{
    for (int it = 0; it < iters; ++it) {
        contrib<<<(n + 255) / 256, 256>>>(pr, deg, tmp, n);
        gather<<<(n * 32 + 255) / 256, 256>>>(start, src, tmp, pr, n, 0.85f);
    }
}
