#include <cstdio>
#include <cuda_runtime.h>

__global__ void stride_read(const float* in, float* out, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[(i * stride) % n] * 2.0f;
}

__global__ void column_sum(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[(blockIdx.x * 32 + y) * columns + x];
    __syncthreads();
    out[(blockIdx.x * 32 + x) * columns + y] = tile[x][y];
}

__global__ void beyond(float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 1.0f;
}

__global__ void racing(float* out) {
    __shared__ float last[64];
    last[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = last[63 - threadIdx.x];
}

int main(int argc, char** argv) {
    int n = 1 << 22;
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
    stride_read<<<n / 256, 256>>>(in, out, n, 32);
    column_sum<<<n / 1024, dim3(32, 32)>>>(in, out, n / 32, 32);
    if (argc > 1) {
        float* small;
        cudaMalloc(&small, 1000 * sizeof(float));
        beyond<<<4, 256>>>(small, 1000);
        racing<<<1, 64>>>(out);
    }
    cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
