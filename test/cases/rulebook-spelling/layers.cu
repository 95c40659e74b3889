//@case {"kernel": "relax"}
__global__ void relax(const float* in, float* out, int n) {
  const int z = threadIdx.z + blockDim.z * blockIdx.z + 1;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n && z < n) out[z * n + x] = in[z * n + x];
}

void run(const float* in, float* out, int n) {
  dim3 block(32, 8), grid((n + 31) / 32, 1, n);
  relax<<<grid, block>>>(in, out, n);
}
