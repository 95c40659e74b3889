// rank[i] is the place of sample i in ascending order, the first place being 1
extern "C" __global__ void order_by_rank(const double *samples, const unsigned int *rank, double *ordered, unsigned int total)
{
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x)
    ordered[rank[i] - 1u] = samples[i];
}
