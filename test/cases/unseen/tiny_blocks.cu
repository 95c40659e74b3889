__global__ void vec_mul(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] * b[i];
}
void multiply(const float *a, const float *b, float *c, int n)
{
    int block = 8;
    vec_mul<<<(n + block - 1) / block, block>>>(a, b, c, n);
}
