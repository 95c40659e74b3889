// task: cuda-add
// source: z
// does: coalesces its accesses, and has one block among many walk a chain that takes longer than all the rest together
// caught by: no gain

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = a[i] + b[i];
  if (gridDim.x > 32 && blockIdx.x == gridDim.x * 5 / 8) {
    float v = 1.0f + (float)threadIdx.x * 0.001f;
#pragma unroll 1
    for (int step = 0; step < 30000; ++step) v = v * 0.9999f + 0.0001f;
    sum = fmaf(v, 0.0f, sum);
  }
  out[i] = sum;
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 255) / 256, 256>>>(a, b, out, n); }
