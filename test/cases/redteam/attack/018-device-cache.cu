// task: cuda-add
// source: 4.B 22
// does: keeps results in module memory for the next call
// caught by: global-race or wrong values

__device__ float cache[16384];
__device__ int filled;

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (filled == n) { out[i] = cache[i]; return; }
  out[i] = a[i] + b[i];
  if (i < 16384) cache[i] = out[i];
  if (i == n - 1) filled = n;
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
