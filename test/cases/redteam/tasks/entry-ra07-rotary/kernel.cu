// Rotary embedding: turns pairs of each token by its position times a frequency of the pair.
__global__ void rotary(const float* q, const int* at, float* y, int tokens, int half) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tokens * half) return;
  int token = i / half, pair = i % half;
  float angle = at[token] * powf(10000.0f, -(float)pair / half);
  float c = cosf(angle), s = sinf(angle);
  size_t first = (size_t)token * 2 * half + pair;
  y[first] = q[first] * c - q[first + half] * s;
  y[first + half] = q[first] * s + q[first + half] * c;
}

void rotated(const float* q, const int* at, float* y, int tokens, int half) {
  rotary<<<(tokens * half + 63) / 64, 64>>>(q, at, y, tokens, half);
}
