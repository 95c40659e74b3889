// task: cuda-p04-round
// does: adds 1.5 * 2^52 in double precision, which rounds once and halves to the even one, and takes the low word; what may not fit goes the plain way

__global__ void nearest(const double* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double value = x[i];
  int result = 0;
  if (fabs(value) <= 2147483646.0)
    result = __double2loint(__dadd_rn(value, 6755399441055744.0));
  else if (value > 0.0)
    result = rint(value) >= 2147483647.0 ? 2147483647 : (int)rint(value);
  else if (value < 0.0)
    result = rint(value) <= -2147483648.0 ? -2147483647 - 1 : (int)rint(value);
  y[i] = result;
}

void rounded(const double* x, int* y, int n) {
  nearest<<<(n + 127) / 128, 128>>>(x, y, n);
}
