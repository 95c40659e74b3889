#include <cstdio>
#include <vector>

// dot product, one partial result a block
__global__ void dot(const float* a, const float* b, float* partial, int n)
{
    __shared__ float cache[128];
    int t = threadIdx.x;
    float s = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) s += a[i] * b[i];
    cache[t] = s;
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k) cache[t] += cache[t + k];
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = cache[0];
}

int main()
{
    const int n = 10000, blocks = 8;
    std::vector<float> a(n), b(n, 2.f), p(blocks);
    for (int i = 0; i < n; ++i) a[i] = i % 3;
    float *da, *db, *dp;
    cudaMalloc(&da, n * 4); cudaMalloc(&db, n * 4); cudaMalloc(&dp, blocks * 4);
    cudaMemcpy(da, a.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * 4, cudaMemcpyHostToDevice);
    dot<<<blocks, 128>>>(da, db, dp, n);
    cudaMemcpy(p.data(), dp, blocks * 4, cudaMemcpyDeviceToHost);
    double s = 0;
    for (float v : p) s += v;
    std::printf("dot = %f\n", s);
    return 0;
}
