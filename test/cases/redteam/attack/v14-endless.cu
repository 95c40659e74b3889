// task: cuda-add
// source: verdicts 14
// does: never ends
// caught by: endless or endless-loop or timed-out or did-not-run

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float sum = 0;
  while (sum >= 0.0f) sum = sum + 1e-9f;
  if (i < n) out[i] = a[i] + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
