__global__ void sigmoidKernel(const float* in, float* out, int size)
{
    const int index = blockDim.x * blockIdx.x + threadIdx.x;
    if (index < size)
    {
        double e = exp(-(double)in[index]);
        out[index] = (float)(1.0 / (1.0 + e));
    }
}
void sigmoid(const float* in, float* out, int size)
{
    sigmoidKernel<<<size / 256 + 1, 256>>>(in, out, size);
}
