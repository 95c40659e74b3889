//@case {"kernel": "band_times"}
__global__ void band_times(const double* a, const double* x, double* y, int n, int reach) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) {
    double sum = 0.0;
    for (int column = 0; column < n; column++) {  //@ instructions=9000
      double entry = abs(row - column) <= reach ? a[row * n + column] : 0.0;
      sum += entry * x[column];
    }
    y[row] = sum;
  }
}
