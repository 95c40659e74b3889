template <class T, class I>
__global__ void gather_rows(const T* __restrict__ src, const I* __restrict__ index, T* __restrict__ dst, int num_index, int width, int src_rows)
{
    const int row = blockIdx.x;
    const I from = index[row];
    if (from < 0 || from >= src_rows) {
        for (int j = threadIdx.x; j < width; j += blockDim.x) dst[row * width + j] = T(0);
        return;
    }
    for (int j = threadIdx.x; j < width; j += blockDim.x)
        dst[row * width + j] = src[from * width + j];
}
template __global__ void gather_rows<float, int>(const float*, const int*, float*, int, int, int);
template __global__ void gather_rows<double, long long>(const double*, const long long*, double*, int, int, int);
