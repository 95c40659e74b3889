// task: cuda-add
// does: a grid of fixed size with 64-bit indices

__global__ void add(const float* a, const float* b, float* out, int n) {
  const size_t threads = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads)
    out[i] = a[i] + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<216, 256>>>(a, b, out, n); }
