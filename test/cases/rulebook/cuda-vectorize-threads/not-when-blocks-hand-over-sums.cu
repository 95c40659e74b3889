//@case {"kernel": "parts"}
__global__ void parts(const float* x, float* y, int n) {
  __shared__ float own[256];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += x[i];  //@ globalLoadRequests=4096 globalBytesRequested=524288 instructions=40000
  own[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = own[0];
}

void run(const float* x, float* y, int n) { parts<<<216, 256>>>(x, y, n); }
