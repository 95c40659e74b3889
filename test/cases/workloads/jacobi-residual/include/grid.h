#ifndef GRID_H_
#define GRID_H_
#include <cuda_runtime.h>

#define IDX(i, j) ((j) * nx + (i))

struct DeviceArray {
    float* ptr = nullptr;
    size_t n;
    explicit DeviceArray(size_t count) : n(count) { cudaMalloc(&ptr, n * sizeof(float)); }
    ~DeviceArray() { cudaFree(ptr); }
    void upload(const float* src) { cudaMemcpy(ptr, src, n * sizeof(float), cudaMemcpyHostToDevice); }
    void download(float* dst) const { cudaMemcpy(dst, ptr, n * sizeof(float), cudaMemcpyDeviceToHost); }
};
#endif
