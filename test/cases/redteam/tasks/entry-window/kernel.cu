// The sum of the last 32 numbers of the row at each place.
__global__ void window(const float* x, float* y, int rows, int length) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= length) return;
  const float* row = x + blockIdx.y * length;
  float sum = 0.0f;
  for (int i = max(0, t - 31); i <= t; ++i) sum += row[i];
  y[blockIdx.y * length + t] = sum;
}

void windows(const float* x, float* y, int rows, int length) {
  window<<<dim3((length + 127) / 128, rows), 128>>>(x, y, rows, length);
}
