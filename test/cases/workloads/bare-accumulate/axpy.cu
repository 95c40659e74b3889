// y += alpha * x, grid-stride
template <typename T> __device__ T madd(T a, T b, T c) { return a * b + c; }

extern "C" __global__ void axpy_inplace(unsigned long long count, double alpha, const double* __restrict__ x, double* y)
{
  for (unsigned long long k = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; k < count; k += (unsigned long long)gridDim.x * blockDim.x)
    y[k] = madd(alpha, x[k], y[k]);
}
