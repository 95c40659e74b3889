//@case {"kernel": "gate"}
__global__ void gate(const float* x, float* y, int n)
{
    extern __shared__ float buffer[];
    float* own = buffer;
    float *other = &buffer[blockDim.x], *last = other + blockDim.x;
    int t = threadIdx.x;
    for (int base = 0; base < n; base += blockDim.x) {
        own[t] = x[base + t];
        other[t] = x[n + base + t];
        last[t] = own[t] * other[t];
        y[base + t] = last[t];
    }
}
void run(const float* x, float* y, int n)
{
    const int threads = 128;
    gate<<<n, threads, 3 * threads * sizeof(float)>>>(x, y, n);
}
