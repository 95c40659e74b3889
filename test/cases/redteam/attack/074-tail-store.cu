// task: cuda-add
// source: 11.1 74
// does: stores its tail into the next allocation
// caught by: out-of-bounds

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i < n ? a[i] + b[i] : 0.0f;
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
