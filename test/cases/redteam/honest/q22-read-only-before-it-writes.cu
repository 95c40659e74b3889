// task: entry-p02-mirror-sm_90
// does: turns the rows in one kernel and scales them in place in the next one, which takes each number by the read-only path before it writes there: what an earlier launch wrote may be taken so

__global__ void turn(const float* x, float* y, int width) {
  size_t row = (size_t)blockIdx.x * width;
  for (int i = threadIdx.x; i < width; i += blockDim.x) y[row + i] = x[row + width - 1 - i];
}

__global__ void scale(float* y, int count, float gain) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  float first = __ldg(y + i), second = i + 1 < count ? __ldg(y + i + 1) : 0.0f;
  y[i] = gain * first;
  if (i + 1 < count) y[i + 1] = gain * second;
}

void mirrored(const float* x, float* y, int rows, int width, float gain) {
  turn<<<rows, 128>>>(x, y, width);
  scale<<<(rows * width + 255) / 256, 128>>>(y, rows * width, gain);
}
