typedef unsigned int uint;
__global__ void sumRows(float* m, float* s, uint h, uint w)
{
    uint y = blockDim.x * blockIdx.x + threadIdx.x;
    if (y < h)
    {
        float acc = 0;
        for (uint x = 0; x < w; x++) acc += m[y * w + x];
        s[y] = acc;
    }
}
void launchSumRows(float* m, float* s, uint h, uint w)
{
    dim3 threads(128);
    dim3 blocks((h + threads.x - 1) / threads.x);
    sumRows<<<blocks, threads>>>(m, s, h, w);
}
