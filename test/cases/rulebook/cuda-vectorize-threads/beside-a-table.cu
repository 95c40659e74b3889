//@case {"kernel": "shift"}
__global__ void shift(const float* x, const float* bias, const int* kind, float* y, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = x[i] * (i % 2 == 0 ? 1.0f : 0.5f) + bias[i % width];  //@ globalLoadRequests=512 globalStoreRequests=256 globalBytesRequested=98304 instructions=4096
  }
}

void run(const float* x, const float* bias, const int* kind, float* y, int n, int width) {
  shift<<<(n + 255) / 256, 256>>>(x, bias, kind, y, n, width);
}
