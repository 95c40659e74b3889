//@case {"kernel": "polynomials", "launches": []}
__global__ void polynomials(const float* factors, const float* x, float* y, int degree, int sets, int n) {
  extern __shared__ float kept[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float total = 0.0f;
  for (int set = 0; set < sets; ++set) {
    for (int k = threadIdx.x; k < degree; k += blockDim.x) kept[k] = factors[set * degree + k];
#pragma unroll 4
    for (int k = 0; k < degree; ++k) {
      __syncthreads();  //@ barriers=640
      total = total * x[i] + kept[k];
      __syncthreads();  //@ barriers=640
    }
  }
  y[i] = total;
}

void run(const float* f, const float* x, float* y, int d, int s, int n) { polynomials<<<n / 128, 128, d * 4>>>(f, x, y, d, s, n); }
