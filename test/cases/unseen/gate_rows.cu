#include <cuda_runtime.h>

// SwiGLU: out = silu(gate) * up; gate and up lie side by side in each row.
__global__ void swiglu(const float *x, float *out, int hidden)
{
    extern __shared__ float buf[];
    float *g = buf;
    float *u = buf + blockDim.x;

    const float *row = x + (long)blockIdx.x * 2 * hidden;
    float *dst = out + (long)blockIdx.x * hidden;

    for (int base = 0; base < hidden; base += blockDim.x) {
        int h = base + threadIdx.x;
        g[threadIdx.x] = h < hidden ? row[h] : 0.0f;
        u[threadIdx.x] = h < hidden ? row[hidden + h] : 0.0f;
        __syncthreads();
        float a = g[threadIdx.x];
        a = a / (1.0f + __expf(-a));
        __syncthreads();
        if (h < hidden)
            dst[h] = a * u[threadIdx.x];
        __syncthreads();
    }
}

void launch_swiglu(const float *x, float *out, int rows, int hidden)
{
    int threads = 256;
    swiglu<<<rows, threads, 2 * threads * sizeof(float)>>>(x, out, hidden);
}
