// task: cuda-add
// source: bounds without barriers
// does: coalesces its accesses, and waits at 120 barriers
// caught by: no gain

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 0; step < 120; ++step) __syncthreads();
  if (i < n) out[i] = a[i] + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
