// task: cuda-add
// source: 4.E 48
// does: changes an input in place
// caught by: read-only-write or input-overwritten

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = a[i] + b[i];
  const_cast<float*>(a)[i] = 0.0f;
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
