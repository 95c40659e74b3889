//@case {"kernel": "sums", "spec": {"outputs": {"s": {"dtype": "float32", "shape": [300]}, "q": {"dtype": "float32", "shape": [300]}}}}
// Points of a line, two sums, turns in steps.
__global__ void sums(const float* x, float* s, float* q, int rows, int columns, int every) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  float sum = 0.0f;
  float squares = 0.0f;
  for (int r = 1; r <= rows; r += every) {
    const float v = x[(r - 1) * columns + c]; //@ instructions=20000
    sum += v; //@ instructions=20000
    squares = fmaf(v, v, squares); //@ instructions=20000
  }
  s[c] = sum;
  q[c] = squares;
}
void run(const float* x, float* s, float* q, int rows, int columns, int every) {
  sums<<<(columns + 127) / 128, 128>>>(x, s, q, rows, columns, every);
}
