__global__ void histo(const unsigned char *data, unsigned int *hist, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int stride = blockDim.x * gridDim.x;
    while (i < n) {
        atomicAdd(&hist[data[i]], 1);
        i += stride;
    }
}
void histogram(const unsigned char *data, unsigned int *hist, int n)
{
    histo<<<64, 256>>>(data, hist, n);
}
