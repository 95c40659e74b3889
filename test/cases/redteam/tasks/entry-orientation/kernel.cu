// 1 where a, b, c turn to the left, -1 where they turn to the right, 0 where they lie on a line.
__global__ void orientation(const float* a, const float* b, const float* c, int* s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double ax = a[2 * i], ay = a[2 * i + 1];
  double left = (b[2 * i] - ax) * (c[2 * i + 1] - ay);
  double right = (b[2 * i + 1] - ay) * (c[2 * i] - ax);
  double turn = left - right;
  s[i] = (turn > 0.0) - (turn < 0.0);
}

void orientations(const float* a, const float* b, const float* c, int* s, int n) {
  orientation<<<(n + 127) / 128, 128>>>(a, b, c, s, n);
}
