//@case {"kernel": "filter", "spec": {"outputs": {"y": {"dtype": "float32", "shape": [300]}}}}
__global__ void filter(const float* x, float* y, int rows, int columns, float a) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  float v = 0.0f;
  for (int r = 0; r < rows; ++r) v = v * a + x[r * columns + c]; //@ instructions=90000
  y[c] = v;
}
void run(const float* x, float* y, int rows, int columns, float a) {
  filter<<<(columns + 127) / 128, 128>>>(x, y, rows, columns, a);
}
