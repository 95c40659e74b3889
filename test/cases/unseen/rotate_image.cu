// Quarter turn of a picture of grey bytes, clockwise.
struct Picture
{
    unsigned char *pixels;
    int width, height;

    __device__ unsigned char &at(int x, int y) const { return pixels[y * width + x]; }
};

__global__ void QuarterTurn(Picture from, Picture to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < from.width && y < from.height)
        to.at(from.height - 1 - y, x) = from.at(x, y);
}

void turn_clockwise(unsigned char *src, unsigned char *dst, int width, int height)
{
    Picture from = {src, width, height};
    Picture to = {dst, height, width};
    dim3 threads(32, 8);
    dim3 blocks((width + 31) / 32, (height + 7) / 8);
    QuarterTurn<<<blocks, threads>>>(from, to);
}
