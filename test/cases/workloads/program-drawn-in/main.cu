#include <cstdio>
#include <vector>

typedef double real;
#define CELL(grid, x, y) grid[(y) * width + (x)]
#include "smoothing.cu"

int main()
{
    const int width = 96, height = 64;
    std::vector<real> host(width * height);
    for (size_t cell = 0; cell < host.size(); ++cell) host[cell] = (cell * 37 % 101) / 101.0;
    real *before, *after;
    cudaMalloc(&before, host.size() * sizeof(real));
    cudaMalloc(&after, host.size() * sizeof(real));
    cudaMemcpy(before, host.data(), host.size() * sizeof(real), cudaMemcpyHostToDevice);
    cudaMemset(after, 0, host.size() * sizeof(real));
    dim3 block(32, 4);
    smoothed<<<dim3(width / 32, height / 4), block>>>(before, after, width, height);
    cudaMemcpy(host.data(), after, host.size() * sizeof(real), cudaMemcpyDeviceToHost);
    printf("%.6f\n", (double)host[width + 1]);
    return 0;
}
