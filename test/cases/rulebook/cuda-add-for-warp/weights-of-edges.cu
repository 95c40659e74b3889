//@case {"kernel": "gather"}
template <typename T>
__global__ void gather(const T* weight, const int* end, T* total, long n) {
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x)
    if (weight[i] > T(0)) atomicAdd(total + end[i], weight[i]); //@ globalAtomics=1024 globalAtomicLanes=32768 globalAtomicPasses=9000
}
template __global__ void gather<float>(const float*, const int*, float*, long);
