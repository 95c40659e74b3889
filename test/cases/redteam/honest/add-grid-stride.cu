// task: cuda-add
// does: a grid-stride loop

__global__ void add(const float* a, const float* b, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = a[i] + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<32, 128>>>(a, b, out, n); }
