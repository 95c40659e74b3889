//@case {"kernel": "normalize", "launches": []}
__global__ void normalize(const float* x, float* y, int n) {
  extern __shared__ float row[];
  for (int j = threadIdx.x; j < n; j += blockDim.x) row[j] = x[blockIdx.x * n + j];
  __syncthreads();
  float most = -3e38f, sum = 0.0f;
  for (int j = 0; j < n; ++j) most = fmaxf(most, row[j]);  //@ instructions=90000
  for (int j = 0; j < n; ++j) sum += expf(row[j] - most);  //@ instructions=190000
  for (int j = threadIdx.x; j < n; j += blockDim.x)
    y[blockIdx.x * n + j] = expf(row[j] - most) / sum;  //@ instructions=2000
}

void run(const float* x, float* y, int rows, int n) { normalize<<<rows, 256, n * sizeof(float)>>>(x, y, n); }
