//@case {"kernel": "gram", "spec": {"outputs": {"g": {"dtype": "float32", "shape": [48, 48]}}}}
// The sum begins with a value from memory, and turns may be skipped.
__global__ void gram(const float* x, const float* ridge, float* g, int rows, int columns) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < columns && j < columns) {
    float sum = ridge[i];
    for (int r = 0; r < rows; r++) {
      if (x[r * columns] < 0.0f) continue; //@ instructions=200000
      sum += x[r * columns + i] * x[r * columns + j]; //@ instructions=400000
    }
    g[i * columns + j] = sum;
  }
}
void run(const float* x, const float* ridge, float* g, int rows, int columns) {
  dim3 block(16, 16), grid((columns + 15) / 16, (columns + 15) / 16);
  gram<<<grid, block>>>(x, ridge, g, rows, columns);
}
