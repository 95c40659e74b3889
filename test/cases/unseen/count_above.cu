__global__ void countAbove(const float *x, float limit, int *count, int n)
{
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += blockDim.x * gridDim.x) {
    if (x[k] > limit) {
      atomicAdd(count, 1);
    }
  }
}
void count_above(const float *x, float limit, int *count, int n)
{
  countAbove<<<128, 128>>>(x, limit, count, n);
}
