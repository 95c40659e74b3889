//@case {"kernel": "brighten"}
__global__ void brighten(const float* in, float* out, float by, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = in[y * width + x] * by;  //@ globalLoadRequests=4096 globalStoreRequests=4096 globalBytesRequested=1048576 instructions=40000
}

void run(const float* in, float* out, float by, int width, int height) {
  dim3 block(32, 8);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  brighten<<<grid, block>>>(in, out, by, width, height);
}
