//@case {"kernel": "add", "spec": {"outputs": {"y": {"dtype": "float32", "shape": [300]}}}}
// The sum begins with what the output holds; it is read and stored by one thread, as before.
__global__ void add(const float* x, float* y, int rows, int columns) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  float sum = y[c];
  for (int r = 0; r < rows; ++r) sum += x[r * columns + c]; //@ instructions=90000
  y[c] = sum;
}
void run(const float* x, float* y, int rows, int columns) { add<<<(columns + 127) / 128, 128>>>(x, y, rows, columns); }
