__global__ void channel_bias(float *x, const float *b, int N, int C, int H, int W)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int total = N * C * H * W;
    if (idx >= total) return;
    int w = idx % W;
    int h = (idx / W) % H;
    int c = (idx / (W * H)) % C;
    int n = idx / (W * H * C);
    x[((n * C + c) * H + h) * W + w] += b[c];
}
void bias(float *x, const float *b, int N, int C, int H, int W)
{
    int total = N * C * H * W;
    channel_bias<<<(total + 255) / 256, 256>>>(x, b, N, C, H, W);
}
