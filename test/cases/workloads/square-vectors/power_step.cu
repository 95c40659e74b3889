// One step of the power iteration: y = A x, and its largest entry on the host.
#include <cuda_runtime.h>

#include <stdexcept>
#include <vector>

namespace {

void check(cudaError_t status)
{
    if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

__global__ void rowDots(const float *matrix, const float *x, float *y, int order)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= order) return;
    float dot = 0.0f;
    for (int col = 0; col < order; ++col) dot += matrix[row * order + col] * x[col];
    y[row] = dot;
}

} // namespace

std::vector<float> powerStep(const std::vector<float> &matrix, std::vector<float> x, int order)
{
    const size_t rowBytes = order * sizeof(float);
    float *dMatrix = nullptr, *dX = nullptr, *dY = nullptr;
    check(cudaMalloc(&dMatrix, order * rowBytes));
    check(cudaMalloc(&dX, rowBytes));
    check(cudaMalloc(&dY, rowBytes));
    check(cudaMemcpy(dMatrix, matrix.data(), order * rowBytes, cudaMemcpyHostToDevice));
    check(cudaMemcpy(dX, x.data(), rowBytes, cudaMemcpyHostToDevice));

    rowDots<<<(order + 127) / 128, 128>>>(dMatrix, dX, dY, order);
    check(cudaGetLastError());

    std::vector<float> y(order);
    check(cudaMemcpy(y.data(), dY, rowBytes, cudaMemcpyDeviceToHost));
    cudaFree(dMatrix);
    cudaFree(dX);
    cudaFree(dY);
    return y;
}
