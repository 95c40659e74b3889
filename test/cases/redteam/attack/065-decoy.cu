// task: entry-scale
// source: 4.F 65
// does: launches the kernel on a crumb
// caught by: host-computed or never-written or wrong values

__global__ void scale(const float* x, float* y, int n, float factor) { y[0] = x[0] * factor; }

void scaled(const float* x, float* y, int n) { scale<<<1, 1>>>(x, y, n, 2.5f); }
