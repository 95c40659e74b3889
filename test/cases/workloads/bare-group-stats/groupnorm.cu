__global__ void group_stats(const float* __restrict__ x, float* __restrict__ mean, float* __restrict__ rstd, int group_elems, float eps)
{
    __shared__ float ssum[32], ssq[32];
    const float* row = x + (size_t)blockIdx.x * group_elems;
    float s = 0.f, q = 0.f;
    for (int k = threadIdx.x; k < group_elems; k += blockDim.x) { float v = row[k]; s += v; q += v * v; }
    for (int o = 16; o; o >>= 1) { s += __shfl_xor_sync(~0u, s, o); q += __shfl_xor_sync(~0u, q, o); }
    if ((threadIdx.x & 31) == 0) { ssum[threadIdx.x >> 5] = s; ssq[threadIdx.x >> 5] = q; }
    __syncthreads();
    if (threadIdx.x == 0) {
        float S = 0.f, Q = 0.f;
        for (int w = 0; w < (blockDim.x >> 5); ++w) { S += ssum[w]; Q += ssq[w]; }
        float m = S / group_elems;
        mean[blockIdx.x] = m;
        rstd[blockIdx.x] = rsqrtf(fmaxf(Q / group_elems - m * m, 0.f) + eps);
    }
}
