// The nearest whole number, halves to the even one; what does not fit becomes the limit, what is no number 0.
__global__ void nearest(const double* x, int* y, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  for (int i = first; i < first + 16 && i < n; ++i) {
    double value = rint(x[i]);
    int result = 0;
    if (value >= 2147483647.0)
      result = 2147483647;
    else if (value <= -2147483648.0)
      result = -2147483647 - 1;
    else if (value == value)
      result = (int)value;
    y[i] = result;
  }
}

void rounded(const double* x, int* y, int n) {
  nearest<<<(n + 1023) / 1024, 64>>>(x, y, n);
}
