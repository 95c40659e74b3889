// Quantises groups of 32 numbers to four bits with a scale for each group, two numbers in a byte.
__global__ void quantise(const float* x, unsigned char* q, float* scale, int groups) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= groups) return;
  float largest = 0.0f;
  for (int i = 0; i < 32; ++i) largest = fmaxf(largest, fabsf(x[32 * (size_t)g + i]));
  float step = largest > 0.0f ? largest / 7.0f : 1.0f;
  scale[g] = step;
  for (int i = 0; i < 32; i += 2) {
    int low = (int)rintf(fminf(fmaxf(x[32 * (size_t)g + i] / step, -7.0f), 7.0f)) + 8;
    int high = (int)rintf(fminf(fmaxf(x[32 * (size_t)g + i + 1] / step, -7.0f), 7.0f)) + 8;
    q[16 * (size_t)g + i / 2] = low | high << 4;
  }
}

void quantised(const float* x, unsigned char* q, float* scale, int groups) {
  quantise<<<(groups + 63) / 64, 64>>>(x, q, scale, groups);
}
