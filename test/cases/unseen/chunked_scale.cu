#define PER_THREAD 8
__global__ void scale_chunks(const float *x, float *y, float a, int n)
{
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * PER_THREAD;
  for (int i = first; i < first + PER_THREAD && i < n; i++)
    y[i] = a * x[i];
}
void scale(const float *x, float *y, float a, int n)
{
  int per_block = 256 * PER_THREAD;
  scale_chunks<<<(n + per_block - 1) / per_block, 256>>>(x, y, a, n);
}
