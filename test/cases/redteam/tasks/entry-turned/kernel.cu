// Rows become columns.
__global__ void turn(const float* x, float* y, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h * w) y[i % w * h + i / w] = x[i];
}

void turned(const float* x, float* y, int h, int w) { turn<<<(h * w + 127) / 128, 128>>>(x, y, h, w); }
