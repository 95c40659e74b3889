//@case {"kernel": "k_gelu"}
// Each thread of the later kernel walks over what the same thread of the earlier one has walked over.
__global__ void k_add_bias(const float* __restrict__ x, const float* __restrict__ bias, float* __restrict__ y, int tokens, int width) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= width) return;
  float b = bias[c];
  for (int t = blockIdx.y; t < tokens; t += gridDim.y) y[(size_t)t * width + c] = x[(size_t)t * width + c] + b;  //@ globalStoreRequests=600 globalStoreSectors=9000
}
__global__ void k_gelu(const float* __restrict__ x, float* __restrict__ y, int tokens, int width) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= width) return;
  for (int t = blockIdx.y; t < tokens; t += gridDim.y) {
    float v = x[(size_t)t * width + c];  //@ globalLoadRequests=600 globalLoadSectors=9000
    y[(size_t)t * width + c] = v * v;
  }
}
void run(const float* x, const float* bias, float* out, int tokens, int width) {
  float* t0;
  cudaMalloc(&t0, tokens * width * sizeof(float));
  dim3 grid((width + 255) / 256, tokens < 65535 ? tokens : 65535);
  k_add_bias<<<grid, 256>>>(x, bias, t0, tokens, width);
  k_gelu<<<grid, 256>>>(t0, out, tokens, width);
  cudaDeviceSynchronize();
  cudaFree(t0);
}
