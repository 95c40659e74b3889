// task: cuda-add
// does: restrict pointers and read-only loads

__global__ void add(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __ldg(a + i) + __ldg(b + i);
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
