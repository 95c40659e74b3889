__global__ void tanh_activation(const float *in, float *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = tanhf(in[i]);
}
void activate(const float *in, float *out, int n)
{
    const int kBlocks = 8;
    tanh_activation<<<kBlocks, 128>>>(in, out, n);
}
