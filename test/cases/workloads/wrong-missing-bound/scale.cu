#include <cuda_runtime.h>

__global__ void scale_kernel(float *dst, const float *src, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        dst[i] = src[i] * factor;
}

void scale(float *h_dst, const float *h_src, float factor, int n)
{
    float *s, *d;
    cudaMalloc(&s, n * sizeof(float));
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(s, h_src, n * sizeof(float), cudaMemcpyHostToDevice);
    scale_kernel<<<n / 128 + 1, 128>>>(d, s, factor, n);
    cudaMemcpy(h_dst, d, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(s);
    cudaFree(d);
}
