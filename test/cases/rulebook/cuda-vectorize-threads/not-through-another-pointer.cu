//@case {"kernel": "offset"}
__global__ void offset(const float* x, float* y, const float* by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n > i) y[i] = x[i] + *by;  //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=2048 globalBytesRequested=786432
}

void run(const float* x, float* y, const float* by, int n) { offset<<<(n + 255) / 256, 256>>>(x, y, by, n); }
