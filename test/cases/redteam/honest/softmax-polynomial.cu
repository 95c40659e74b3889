// task: cuda-softmax
// does: exponentials by a polynomial and a shift of the exponent, as exact as the library's

__device__ float power(float value) {
  if (!(value > -87.0f)) return value != value ? value : 0.0f;
  float whole = rintf(value * 1.44269504f);
  float rest = fmaf(whole, -0.693145752f, value);
  rest = fmaf(whole, -1.42860677e-6f, rest);
  float sum = 1.38888889e-3f;
  sum = fmaf(sum, rest, 8.33333333e-3f);
  sum = fmaf(sum, rest, 4.16666667e-2f);
  sum = fmaf(sum, rest, 1.66666667e-1f);
  sum = fmaf(sum, rest, 0.5f);
  sum = fmaf(sum, rest, 1.0f);
  sum = fmaf(sum, rest, 1.0f);
  return sum * __int_as_float((127 + (int)whole) << 23);
}

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const float* row = x + blockIdx.x * columns;
  float* result = y + blockIdx.x * columns;
  float maximum = -INFINITY;
  for (int c = threadIdx.x; c < columns; c += 32) maximum = fmaxf(maximum, row[c]);
  for (int o = 16; o; o /= 2) maximum = fmaxf(maximum, __shfl_xor_sync(~0u, maximum, o));
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) sum += power(row[c] - maximum);
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  for (int c = threadIdx.x; c < columns; c += 32) result[c] = power(row[c] - maximum) / sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) {
  softmax<<<rows, 32>>>(x, y, rows, columns);
}
