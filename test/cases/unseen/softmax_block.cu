#include <float.h>
__global__ void softmax_smem(const float *x, float *y, int n)
{
  __shared__ float red[256];
  const float *xr = x + blockIdx.x * n;
  float *yr = y + blockIdx.x * n;
  float m = -FLT_MAX;
  for (int i = threadIdx.x; i < n; i += 256) m = fmaxf(m, xr[i]);
  red[threadIdx.x] = m;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) red[threadIdx.x] = fmaxf(red[threadIdx.x], red[threadIdx.x + s]);
    __syncthreads();
  }
  m = red[0];
  __syncthreads();
  float sum = 0.f;
  for (int i = threadIdx.x; i < n; i += 256) sum += expf(xr[i] - m);
  red[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) red[threadIdx.x] += red[threadIdx.x + s];
    __syncthreads();
  }
  sum = red[0];
  for (int i = threadIdx.x; i < n; i += 256) yr[i] = expf(xr[i] - m) / sum;
}
void softmax(const float *x, float *y, int rows, int n) { softmax_smem<<<rows, 256>>>(x, y, n); }
