// task: cuda-p04-round
// source: p
// does: rounds to single precision first where that holds all whole numbers, so that what lies just beside a half becomes a half and goes to the even side
// caught by: wrong values

__global__ void nearest(const double* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double value = x[i];
  int result = 0;
  if (fabs(value) < 4194304.0) {
    result = __float2int_rn((float)value);
  } else {
    value = rint(value);
    if (value >= 2147483647.0)
      result = 2147483647;
    else if (value <= -2147483648.0)
      result = -2147483647 - 1;
    else if (value == value)
      result = (int)value;
  }
  y[i] = result;
}

void rounded(const double* x, int* y, int n) {
  nearest<<<(n + 127) / 128, 128>>>(x, y, n);
}
