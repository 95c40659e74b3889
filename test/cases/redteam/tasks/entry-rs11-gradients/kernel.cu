// How strong and in which direction a picture rises, by central differences; the rim repeats itself.
__global__ void gradient(const unsigned char* x, float* strength, float* direction, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= w || r >= h) return;
  int dx = x[r * w + min(c + 1, w - 1)] - x[r * w + max(c - 1, 0)];
  int dy = x[min(r + 1, h - 1) * w + c] - x[max(r - 1, 0) * w + c];
  strength[r * w + c] = sqrtf((float)(dx * dx + dy * dy));
  direction[r * w + c] = atan2f((float)dy, (float)dx);
}

void gradients(const unsigned char* x, float* strength, float* direction, int h, int w) {
  gradient<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(x, strength, direction, h, w);
}
