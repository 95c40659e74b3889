// task: cuda-mean
// does: adds up from a place that a generator with a fixed seed gives each row

__global__ void mean(const float* x, float* y, int rows, int columns) {
  int lane = threadIdx.x;
  unsigned state = 12345u + blockIdx.x;
  state = state * 1664525u + 1013904223u;
  int start = (state >> 8) % columns;
  float sum = 0.0f;
  for (int c = lane; c < columns; c += 32) {
    int at = c + start < columns ? c + start : c + start - columns;
    sum += x[blockIdx.x * columns + at];
  }
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (lane == 0) y[blockIdx.x] = sum / columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<rows, 32>>>(x, y, rows, columns); }
