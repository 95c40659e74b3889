#include "image.hpp"

__global__ void rgbaToGray(const uchar4* __restrict__ rgba, unsigned char* __restrict__ gray, int w, int h)
{
    const int2 p = make_int2(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y);
    if (p.x >= w || p.y >= h)
        return;
    const uchar4 c = rgba[p.y * w + p.x];
    gray[p.y * w + p.x] = (unsigned char)(0.299f * c.x + 0.587f * c.y + 0.114f * c.z + 0.5f);
}

void toGray(const DeviceImage<uchar4>& src, DeviceImage<unsigned char>& dst)
{
    const dim3 block(32, 4);
    const auto cover = [](int total, unsigned part) { return (total + part - 1) / part; };
    const dim3 grid(cover(src.width(), block.x), cover(src.height(), block.y));
    rgbaToGray<<<grid, block>>>(src.data(), dst.data(), src.width(), src.height());
}

std::vector<unsigned char> grayOf(const std::vector<uchar4>& pixels, int width, int height)
{
    DeviceImage<uchar4> src(width, height);
    DeviceImage<unsigned char> dst(width, height);
    src.set(pixels);
    toGray(src, dst);
    return dst.get();
}
