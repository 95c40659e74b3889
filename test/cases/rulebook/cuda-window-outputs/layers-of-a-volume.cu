//@case {"kernel": "relax"}
__global__ void relax(const float* in, float* out, unsigned n) {
  unsigned z = blockIdx.z;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= 1 && x < n - 1 && y >= 1 && y < n - 1 && z >= 1 && z < n - 1) {
    out[z * n * n + y * n + x] = in[z * n * n + y * n + x - 1] + in[z * n * n + y * n + x + 1] + in[z * n * n + (y - 1) * n + x] + in[(z + 1) * n * n + y * n + x];  //@ globalLoadSectors=900 loadedAgain=800
  }
}

void run(const float* in, float* out, unsigned n) {
  dim3 block(32, 8, 1), grid((n + 31) / 32, (n + 7) / 8, n);
  relax<<<grid, block>>>(in, out, n);
}
