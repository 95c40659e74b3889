#define WIDTH 256
__global__ void dot(float *u, float *v, float *parts, int n) {
  __shared__ float products[WIDTH];
  float mine = 0;
  for (int i = blockIdx.x * WIDTH + threadIdx.x; i < n; i += WIDTH * gridDim.x) mine += u[i] * v[i];
  products[threadIdx.x] = mine;
  __syncthreads();
  int half_width = WIDTH / 2;
  while (half_width > 0) {
    if (threadIdx.x < half_width) products[threadIdx.x] += products[threadIdx.x + half_width];
    __syncthreads();
    half_width /= 2;
  }
  if (!threadIdx.x) parts[blockIdx.x] = products[0];
}
void partial_dot(float *u, float *v, float *parts, int n) { dot<<<64, WIDTH>>>(u, v, parts, n); }
