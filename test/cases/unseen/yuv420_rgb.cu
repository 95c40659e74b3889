/* Decoder back end: planar 4:2:0 (BT.601, studio range) to packed RGB24. */
#include <cuda_runtime.h>

typedef unsigned char u8;

__device__ inline u8 sat8(int v) { return (u8)min(max(v, 0), 255); }

__global__ void i420_to_rgb24(const u8* luma, const u8* cb, const u8* cr, u8* rgb, int width, int height,
                              int luma_pitch, int chroma_pitch)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= width || y >= height)
        return;

    int c = 298 * (luma[y * luma_pitch + x] - 16);
    int d = cb[(y >> 1) * chroma_pitch + (x >> 1)] - 128;
    int e = cr[(y >> 1) * chroma_pitch + (x >> 1)] - 128;

    u8* out = rgb + 3 * (y * width + x);
    out[0] = sat8((c + 409 * e + 128) >> 8);
    out[1] = sat8((c - 100 * d - 208 * e + 128) >> 8);
    out[2] = sat8((c + 516 * d + 128) >> 8);
}

void convert_frame(const u8* luma, const u8* cb, const u8* cr, u8* rgb, int width, int height)
{
    dim3 block(64, 4);
    dim3 grid((width + 63) / 64, (height + 3) / 4);
    i420_to_rgb24<<<grid, block>>>(luma, cb, cr, rgb, width, height, width, (width + 1) / 2);
}
