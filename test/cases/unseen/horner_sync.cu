// "Coefficient" polynomial: every block loads the table, someone was careful with barriers.
#define DEG 16
__global__ void poly_eval(const float* xs, const float* coef, float* ys, int n) {
  __shared__ float c[DEG];
  if (threadIdx.x < DEG) c[threadIdx.x] = coef[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = (i < n) ? xs[i] : 0.0f;
  float r = c[DEG - 1];
  for (int k = DEG - 2; k >= 0; --k) {
    r = fmaf(r, x, c[k]);
    __syncthreads();
  }
  if (i < n) ys[i] = r;
  __syncthreads();
}
