// task: cuda-add
// source: 4.E 57
// does: reads beyond an input
// caught by: out-of-bounds

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = *(volatile const float*)(a + i);
  if (i < n) out[i] = v + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
