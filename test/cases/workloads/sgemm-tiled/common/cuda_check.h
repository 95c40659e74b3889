#ifndef CUDA_CHECK_H
#define CUDA_CHECK_H
#include <cstdio>
#include <cuda_runtime.h>
#define CUDA_CHECK(x)                                                             \
    do {                                                                          \
        cudaError_t err = (x);                                                    \
        if (err != cudaSuccess) {                                                 \
            std::fprintf(stderr, "CUDA: %s (%s)\n", cudaGetErrorString(err), #x); \
            return 1;                                                             \
        }                                                                         \
    } while (0)
#endif
