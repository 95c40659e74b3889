//@case {"kernel": "negate"}
__global__ void negate(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = -in[i];  //@ globalLoadRequests=3200 globalStoreRequests=3200 globalBytesRequested=819200 instructions=30000
}
void run(const float* in, float* out, int n) {
  if (n < 100000) negate<<<(n + 63) / 64, 64>>>(in, out, n);
  else negate<<<n / 256, 256>>>(in, out, n);
}
