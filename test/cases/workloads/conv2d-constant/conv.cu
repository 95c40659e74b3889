// 2-D convolution of a single-channel picture with a filter of odd width, zero padding.
#include <cuda_runtime.h>

#define MAX_FILTER 15

__constant__ float d_filter[MAX_FILTER * MAX_FILTER];

__global__ void conv2d(const float *img, float *result, int width, int height, int fsize)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;

    const int r = fsize / 2;
    float sum = 0;
    for (int fy = 0; fy < fsize; fy++) {
        for (int fx = 0; fx < fsize; fx++) {
            const int sx = x + fx - r;
            const int sy = y + fy - r;
            if (sx < 0 || sy < 0 || sx >= width || sy >= height) continue;
            sum += img[sy * width + sx] * d_filter[fy * fsize + fx];
        }
    }
    result[y * width + x] = sum;
}

bool convolve(const float *h_img, float *h_result, int width, int height, const float *h_filter, int fsize)
{
    if (fsize > MAX_FILTER || fsize % 2 == 0)
        return false;
    const size_t bytes = sizeof(float) * width * height;
    float *buf[2];
    cudaMalloc(&buf[0], bytes);
    cudaMalloc(&buf[1], bytes);
    cudaMemcpy(buf[0], h_img, bytes, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(d_filter, h_filter, sizeof(float) * fsize * fsize);

    const dim3 tpb(32, 8);
    const dim3 bpg((width + tpb.x - 1) / tpb.x, (height + tpb.y - 1) / tpb.y);
    conv2d<<<bpg, tpb>>>(buf[0], buf[1], width, height, fsize);

    cudaMemcpy(h_result, buf[1], bytes, cudaMemcpyDeviceToHost);
    cudaFree(buf[0]);
    cudaFree(buf[1]);
    return cudaGetLastError() == cudaSuccess;
}
