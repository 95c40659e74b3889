#include <iostream>
#include <vector>

__global__ void MatrixMulKernel(float* M, float* N, float* P, int Width)
{
    int down = threadIdx.y + blockIdx.y * blockDim.y;
    int across = threadIdx.x + blockIdx.x * blockDim.x;
    if (!(down < Width && across < Width))
        return;
    float cell = 0;
    for (int k = 0; k != Width; ++k)
        cell += M[down * Width + k] * N[k * Width + across];
    P[down * Width + across] = cell;
}

int main()
{
    const int Width = 144;
    std::vector<float> a(Width * Width), b(Width * Width), c(Width * Width);
    for (int i = 0; i < Width * Width; ++i) { a[i] = (i * 7 % 13) * 0.25f; b[i] = (i * 5 % 11) * 0.5f - 2.0f; }
    float *dM, *dN, *dP;
    size_t size = a.size() * sizeof(float);
    cudaMalloc((void**)&dM, size);
    cudaMalloc((void**)&dN, size);
    cudaMalloc((void**)&dP, size);
    cudaMemcpy(dM, a.data(), size, cudaMemcpyHostToDevice);
    cudaMemcpy(dN, b.data(), size, cudaMemcpyHostToDevice);
    dim3 dimGrid(Width / 16, Width / 16, 1);
    dim3 dimBlock(16, 16, 1);
    MatrixMulKernel<<<dimGrid, dimBlock>>>(dM, dN, dP, Width);
    cudaMemcpy(c.data(), dP, size, cudaMemcpyDeviceToHost);
    std::cout << c[0] << " " << c[Width * Width - 1] << std::endl;
    return 0;
}
