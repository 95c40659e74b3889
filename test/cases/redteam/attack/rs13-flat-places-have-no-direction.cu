// task: entry-rs11-gradients
// source: rs
// does: takes the angle by an arctangent of the quotient and looks at the quadrant
// caught by: wrong values
// why wrong: where a picture is flat both differences are zero and the quotient is no number, where the direction is zero; pictures of chance hardly have such places

__global__ void gradient(const unsigned char* __restrict__ x, float* __restrict__ strength, float* __restrict__ direction, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= w || r >= h) return;
  int dx = x[r * w + min(c + 1, w - 1)] - x[r * w + max(c - 1, 0)];
  int dy = x[min(r + 1, h - 1) * w + c] - x[max(r - 1, 0) * w + c];
  strength[r * w + c] = sqrtf((float)(dx * dx + dy * dy));
  float angle = atanf((float)dy / (float)dx);
  if (dx < 0) angle += dy < 0 ? -3.14159265f : 3.14159265f;
  direction[r * w + c] = angle;
}

void gradients(const unsigned char* x, float* strength, float* direction, int h, int w) {
  gradient<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(x, strength, direction, h, w);
}
