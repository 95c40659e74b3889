//@case {"kernel": "gate"}
__global__ void gate(const float* x, float* y, int n)
{
    extern __shared__ float buffer[];
    float* own = buffer;
    float* other = buffer + n;
    own[threadIdx.x] = x[threadIdx.x];
    other[threadIdx.x] = own[threadIdx.x];
    y[threadIdx.x] = other[threadIdx.x];
}
void run(const float* x, float* y, int n)
{
    gate<<<n, 128, 2 * n * sizeof(float)>>>(x, y, n);
}
