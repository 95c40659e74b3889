//@case {"kernel": "copy"}
__global__ void copy(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];  //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=2048 globalBytesRequested=786432
}

void run(const float* x, float* y, int n) { copy<<<n / 256, 256>>>(x, y, n); }
