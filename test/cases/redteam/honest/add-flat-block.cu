// task: cuda-add
// does: a block of 32 by 8 threads

__global__ void add(const float* a, const float* b, float* out, int n) {
  int thread = threadIdx.y * blockDim.x + threadIdx.x;
  int i = blockIdx.x * (blockDim.x * blockDim.y) + thread;
  if (i < n) out[i] = a[i] + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) {
  dim3 block(32, 8);
  add<<<(n + 255) / 256, block>>>(a, b, out, n);
}
