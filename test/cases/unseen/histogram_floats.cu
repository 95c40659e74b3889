#include <cuda_runtime.h>
__global__ void compute_hist(const float *__restrict__ v, int *__restrict__ counts, int n, int bins)
{
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid >= n) return;
  int bin = (int)(v[tid] * bins);
  if (bin > bins - 1) bin = bins - 1;
  if (bin < 0) bin = 0;
  atomicAdd(counts + bin, 1);
}
int hist(const float *v, int *counts, int n, int bins)
{
  compute_hist<<<(n + 511) / 512, 512>>>(v, counts, n, bins);
  return (int)cudaGetLastError();
}
