#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// Three generations of the same sum.
__global__ void reduce0(const int *in, int *out) {
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int k = 1; k < blockDim.x; k *= 2) {
        if (t % (2 * k) == 0) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void reduce1(const int *in, int *out) {
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int k = 1; k < blockDim.x; k *= 2) {
        int i = 2 * k * t;
        if (i < blockDim.x) s[i] += s[i + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void reduce2(const int *in, int *out) {
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

typedef void (*kernel_t)(const int *, int *);

int main() {
    const int N = 1 << 14, B = 256, G = N / B;
    int *h = new int[N], part[G];
    long want = 0;
    for (int i = 0; i < N; i++) { h[i] = rand() % 100; want += h[i]; }
    int *d, *o;
    cudaMalloc(&d, N * sizeof(int));
    cudaMalloc(&o, G * sizeof(int));
    cudaMemcpy(d, h, N * sizeof(int), cudaMemcpyHostToDevice);

    kernel_t kernels[] = {reduce0, reduce1, reduce2};
    int bad = 0;
    for (int v = 0; v < 3; v++) {
        kernels[v]<<<G, B, B * sizeof(int)>>>(d, o);
        cudaMemcpy(part, o, G * sizeof(int), cudaMemcpyDeviceToHost);
        long got = 0;
        for (int i = 0; i < G; i++) got += part[i];
        printf("reduce%d: %ld %s\n", v, got, got == want ? "ok" : "WRONG");
        bad += got != want;
    }
    delete[] h;
    return bad;
}
