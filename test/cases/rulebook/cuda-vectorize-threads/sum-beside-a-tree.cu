//@case {"kernel": "means"}
__global__ void means(const float* x, float* y, int n) {
  __shared__ float parts[256];
  const float* row = x + blockIdx.x * n;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += row[i];  //@ globalLoadRequests=4096 globalBytesRequested=524288 instructions=40000
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s) parts[threadIdx.x] += parts[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = parts[0] / n;
}

void run(const float* x, float* y, int n, int rows) { means<<<rows, 256>>>(x, y, n); }
