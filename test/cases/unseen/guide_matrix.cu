// Matrices as structures passed by value, the product over their widths.
typedef struct {
  int width;
  int height;
  float* elements;
} Matrix;

__global__ void MatMulKernel(Matrix A, Matrix B, Matrix C) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= C.height || col >= C.width) return;
  float Cvalue = 0;
  for (int e = 0; e < A.width; ++e) Cvalue += A.elements[row * A.width + e] * B.elements[e * B.width + col];
  C.elements[row * C.width + col] = Cvalue;
}

void matmul(float* a, float* b, float* c, int m, int n, int k) {
  Matrix A = {k, m, a};
  Matrix B = {n, k, b};
  Matrix C = {n, m, c};
  dim3 dimBlock(16, 16);
  dim3 dimGrid((n + dimBlock.x - 1) / dimBlock.x, (m + dimBlock.y - 1) / dimBlock.y);
  MatMulKernel<<<dimGrid, dimBlock>>>(A, B, C);
}
