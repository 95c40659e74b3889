// phase 0 compares (0,1) (2,3) ..., phase 1 compares (1,2) (3,4) ...
__global__ void odd_even_step(short *a, int n, int phase)
{
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
  if (i + 1 < n)
  {
    short l = a[i], r = a[i + 1];
    a[i] = min(l, r);
    a[i + 1] = max(l, r);
  }
}
