//@case {"kernel": "drawdown", "facts": {"block": [128, 1, 1]}}
// Largest fall of a logarithm and sum of squared steps, a row for each thread.
__global__ void drawdown(const float *__restrict__ price, float *__restrict__ spread, int rows, int days) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *own = price + (size_t)row * days;
  float squares = 0.0f;
  float before = logf(own[0]);
  for (int day = 1; day < days; ++day) {
    float now = logf(own[day]);
    float step = now - before;
    squares += step * step;
    before = now;
  }
  spread[row] = squares / (days - 1);
}
