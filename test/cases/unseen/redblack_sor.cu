// Pressure Poisson equation of a lid-driven cavity: red-black successive over-relaxation.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

using real = float;

__global__ void sor_half_sweep(real* __restrict__ p, const real* __restrict__ rhs, int n, int color, real omega,
                               real h2)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < 1 || row < 1 || col >= n - 1 || row >= n - 1) return;

    if (((row + col) & 1) == color) {
        const int c = row * n + col;
        const real gs = real(0.25) * (p[c - 1] + p[c + 1] + p[c - n] + p[c + n] - h2 * rhs[c]);
        p[c] += omega * (gs - p[c]);
    }
}

int main(int argc, char** argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 514;
    const size_t bytes = sizeof(real) * n * n;
    real* host = static_cast<real*>(std::malloc(bytes));
    real *p, *rhs;
    cudaMalloc(&p, bytes);
    cudaMalloc(&rhs, bytes);
    for (int i = 0; i < n * n; ++i) host[i] = real(std::rand()) / RAND_MAX;
    cudaMemcpy(rhs, host, bytes, cudaMemcpyHostToDevice);
    for (int i = 0; i < n * n; ++i) host[i] = real(std::rand()) / RAND_MAX;
    cudaMemcpy(p, host, bytes, cudaMemcpyHostToDevice);

    const dim3 block(32, 8);
    const dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
    for (int sweep = 0; sweep < 2; ++sweep)
        for (int color = 0; color < 2; ++color)
            sor_half_sweep<<<grid, block>>>(p, rhs, n, color, real(1.7), real(1) / (n * n));

    cudaMemcpy(host, p, bytes, cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < n * n; ++i) sum += host[i];
    std::printf("mean pressure %.6f\n", sum / n / n);
    return 0;
}
