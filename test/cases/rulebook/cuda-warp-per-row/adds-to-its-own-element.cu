//@case {"kernel": "apply"}
template <typename Index>
__global__ void apply(const float* a, const float* x, float* y, Index rows, Index columns, float alpha, float beta) {
  const Index row = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row < rows) {
    float dot = 0.0f;
    for (Index k = 0; k < columns; ++k)
      dot += a[row * columns + k] * x[k];  //@ globalLoadSectors=33000 globalLoadSectorsIdeal=5000
    y[row] = alpha * dot + beta * y[row];
  }
}
void run(const float* a, const float* x, float* y, int rows, int columns) {
  apply<<<(rows + 127) / 128, 128>>>(a, x, y, rows, columns, 0.5f, 2.0f);
}
