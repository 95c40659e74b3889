#include <cuda_runtime.h>

struct Histograms {
    unsigned int *red;
    unsigned int *green;
    unsigned int *blue;
};

// Histograms of the three channels of an image with 8 bits a channel.
__global__ void channelHistograms(const uchar4 *image, int width, int height, Histograms h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        uchar4 p = image[y * width + x];
        atomicAdd(&h.red[p.x], 1u);
        atomicAdd(&h.green[p.y], 1u);
        atomicAdd(&h.blue[p.z], 1u);
    }
}

void histogramsOf(const unsigned char *image, int width, int height, unsigned *red, unsigned *green, unsigned *blue)
{
    Histograms h = {red, green, blue};
    dim3 block(16, 16);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    channelHistograms<<<grid, block>>>((const uchar4 *)image, width, height, h);
}
