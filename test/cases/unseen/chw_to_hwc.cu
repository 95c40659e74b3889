// planes -> interleaved pixels, one thread per pixel
__global__ void toChannelsLast(const float* src, float* dst, int C, int H, int W)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H)
        return;
    for (int c = 0; c < C; c++)
        dst[(y * W + x) * C + c] = src[c * H * W + y * W + x];
}

void channels_last(const float* src, float* dst, int C, int H, int W)
{
    dim3 b(32, 8);
    dim3 g((W + 31) / 32, (H + 7) / 8);
    toChannelsLast<<<g, b>>>(src, dst, C, H, W);
}
