#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

__global__ void vecAdd(const double *a, const double *b, double *c, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        c[id] = a[id] + b[id];
}

int main(int argc, char *argv[])
{
    int n = argc > 1 ? atoi(argv[1]) : 50000;
    int blockSize = argc > 2 ? atoi(argv[2]) : 256;
    size_t bytes = n * sizeof(double);
    double *h_a = (double *)malloc(bytes), *h_b = (double *)malloc(bytes), *h_c = (double *)malloc(bytes);
    double *d_a, *d_b, *d_c;
    for (int i = 0; i < n; i++) { h_a[i] = i * 0.5; h_b[i] = n - i; }

    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_c, bytes);
    cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, h_b, bytes, cudaMemcpyHostToDevice);

    int gridSize = (int)((n + blockSize - 1) / blockSize);
    vecAdd<<<gridSize, blockSize>>>(d_a, d_b, d_c, n);
    cudaMemcpy(h_c, d_c, bytes, cudaMemcpyDeviceToHost);

    int errors = 0;
    for (int i = 0; i < n; i++)
        if (h_c[i] != n - i * 0.5) errors++;
    printf("%d elements, %d errors\n", n, errors);
    cudaFree(d_a); cudaFree(d_b); cudaFree(d_c);
    free(h_a); free(h_b); free(h_c);
    return errors != 0;
}
