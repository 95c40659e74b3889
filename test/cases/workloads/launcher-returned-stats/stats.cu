#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
struct Stats { float mean; float peak; };
__global__ void blockStats(const float* x, int n, float* sums, float* peaks) {
    __shared__ float s[128], p[128];
    float sum = 0, peak = -1e30f;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) { sum += x[i]; peak = fmaxf(peak, x[i]); }
    s[threadIdx.x] = sum; p[threadIdx.x] = peak;
    __syncthreads();
    for (int k = 64; k; k /= 2) {
        if (threadIdx.x < k) { s[threadIdx.x] += s[threadIdx.x + k]; p[threadIdx.x] = fmaxf(p[threadIdx.x], p[threadIdx.x + k]); }
        __syncthreads();
    }
    if (!threadIdx.x) { sums[blockIdx.x] = s[0]; peaks[blockIdx.x] = p[0]; }
}
Stats stats(const float* x, int n) {
    const int blocks = 32;
    float *s, *p; cudaMalloc(&s, 4 * blocks); cudaMalloc(&p, 4 * blocks);
    blockStats<<<blocks, 128>>>(x, n, s, p);
    float hs[blocks], hp[blocks];
    cudaMemcpy(hs, s, sizeof hs, cudaMemcpyDeviceToHost);
    cudaMemcpy(hp, p, sizeof hp, cudaMemcpyDeviceToHost);
    cudaFree(s); cudaFree(p);
    Stats r{0, -1e30f};
    for (int i = 0; i < blocks; i++) { r.mean += hs[i]; r.peak = r.peak > hp[i] ? r.peak : hp[i]; }
    r.mean /= n;
    return r;
}
