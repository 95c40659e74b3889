// task: cuda-add
// source: 4.C 29
// does: leaves the output as it was given
// caught by: never-written or wrong values

__global__ void add(const float* a, const float* b, float* out, int n) {}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
