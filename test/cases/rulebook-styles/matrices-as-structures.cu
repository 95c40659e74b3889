//@case {"kernel": "multiply", "rules": ["cuda-stage-product", "cuda-split-sum"], "spec": {"entry": {"call": "matrices-as-structures.cu::run", "arguments": ["a", "b", "c", {"value": "m", "dtype": "int32"}, {"value": "n", "dtype": "int32"}, {"value": "k", "dtype": "int32"}]}, "inputs": {"a": {"dtype": "float32", "shape": ["m", "k"]}, "b": {"dtype": "float32", "shape": ["k", "n"]}}, "outputs": {"c": {"dtype": "float32", "shape": ["m", "n"]}}, "shapes": [{"sizes": {"m": 97, "n": 128, "k": 64}}, {"sizes": {"m": 97, "n": 47, "k": 29}}], "reference": {"expressions": {"c": "a @ b"}}}}
typedef struct {
  int width;
  int height;
  float* elements;
} Matrix;

__global__ void multiply(Matrix A, Matrix B, Matrix C) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= C.height || col >= C.width) return;
  float sum = 0;
  for (int e = 0; e < A.width; ++e) sum += A.elements[row * A.width + e] * B.elements[e * B.width + col];
  C.elements[row * C.width + col] = sum;
}

void run(float* a, float* b, float* c, int m, int n, int k) {
  Matrix A = {k, m, a}, B = {n, k, b}, C = {n, m, c};
  dim3 block(16, 16);
  dim3 grid((n + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  multiply<<<grid, block>>>(A, B, C);
}
