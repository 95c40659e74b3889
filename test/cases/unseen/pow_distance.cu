__global__ void distances(const float *x, const float *y, const float *z, float *d, int n)
{
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < n)
    d[tid] = sqrtf(powf(x[tid], 2) + powf(y[tid], 2) + powf(z[tid], 2));
}
void dist(const float *x, const float *y, const float *z, float *d, int n) { distances<<<(n + 127) / 128, 128>>>(x, y, z, d, n); }
