// task: cuda-add
// source: 4.E 54
// does: skips what is left over of a block
// caught by: invalid-launch or never-written or wrong values

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  out[i] = a[i] + b[i];
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<n / 128, 128>>>(a, b, out, n); }
