// task: cuda-add
// does: a grid of two dimensions, flattened, and 64-bit indices

__global__ void add(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int n) {
  size_t block = static_cast<size_t>(blockIdx.y) * gridDim.x + blockIdx.x;
  size_t i = block * (blockDim.x * blockDim.y) + threadIdx.y * blockDim.x + threadIdx.x;
  if (i < static_cast<size_t>(n)) out[i] = __ldg(a + i) + __ldg(&b[i]);
}

void launch_add(const float* a, const float* b, float* out, int n) {
  dim3 block(32, 8);
  dim3 grid(8, (n + 2047) / 2048);
  add<<<grid, block>>>(a, b, out, n);
}
