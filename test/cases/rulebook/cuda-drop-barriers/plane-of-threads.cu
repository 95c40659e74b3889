//@case {"kernel": "settle", "facts": {"block": [16, 8, 1]}}
__global__ void settle(const float* x, float* y, int width, int height, int steps) {
  __shared__ float own[8][16];
  int i = blockIdx.x * 16 + threadIdx.x;
  int j = blockIdx.y * 8 + threadIdx.y;
  bool inside = i < width && j < height;
  own[threadIdx.y][threadIdx.x] = inside ? x[j * width + i] : 0.0f;
  __syncthreads();  //@ barriers=512
  for (int s = 0; s < steps; ++s) {
    own[threadIdx.y][threadIdx.x] *= 0.5f;
    __syncthreads();  //@ barriers=4096
  }
  if (inside) y[j * width + i] = own[threadIdx.y][threadIdx.x];
}
void run(const float* x, float* y, int width, int height, int steps) {
  settle<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(x, y, width, height, steps);
}
