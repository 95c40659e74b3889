//@case {"kernel": "smooth"}
__global__ void smooth(const float* in, const float* weights, float* out, int width, int height) {
  __shared__ float w[9];
  if (threadIdx.y == 0 && threadIdx.x < 9) w[threadIdx.x] = weights[threadIdx.x];
  __syncthreads();
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 4 || x >= width - 4 || y >= height) return;
  float sum = 0.0f;
  for (int d = -4; d <= 4; ++d) sum += w[d + 4] * in[(y + d) * width + x]; //@ globalLoadSectors=500 loadedAgain=400
  out[y * width + x] = sum;
}

void run(const float* in, const float* weights, float* out, int width, int height) {
  smooth<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(in, weights, out, width, height);
}
