// task: cuda-add
// source: bounds without dependencies
// does: coalesces its accesses, and has every thread walk a chain of 400 dependent multiplications
// caught by: no gain

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float first = a[i], chain = first;
  for (int step = 0; step < 400; ++step) chain = fmaf(chain, 0.999f, 0.001f);
  if (chain == 0.12345f) first = *(const volatile float*)(a + i);
  out[i] = first + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
