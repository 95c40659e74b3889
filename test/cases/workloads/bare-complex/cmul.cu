#include <cuComplex.h>

__global__ void pointwise_mul_scaled(cuFloatComplex *a, const cuFloatComplex *b, const int size, const float scale)
{
  const int numThreads = blockDim.x * gridDim.x;
  const int threadID = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = threadID; i < size; i += numThreads) {
    cuFloatComplex p = cuCmulf(a[i], b[i]);
    a[i] = make_cuFloatComplex(p.x * scale, p.y * scale);
  }
}
