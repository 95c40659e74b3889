#define TAPS 21
__constant__ float h[TAPS];

// FIR filter; x has n + TAPS - 1 samples, y has n
__global__ void fir(const float *x, float *y, int n)
{
    __shared__ float s[128 + TAPS - 1];
    int base = blockIdx.x * 128;
    for (int i = threadIdx.x; i < 128 + TAPS - 1; i += 128)
        if (base + i < n + TAPS - 1)
            s[i] = x[base + i];
    __syncthreads();
    int i = base + threadIdx.x;
    if (i >= n) return;
    float acc = 0.0f;
    for (int k = 0; k < TAPS; ++k)
        acc += h[k] * s[threadIdx.x + TAPS - 1 - k];
    y[i] = acc;
}
