// All pair distances below the diagonal, summed for each item. Each thread owns an item and walks those before it.
__global__ void lower_sums(int n, const float* x, float* y)
{
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    float s = 0;
    float xi = x[i];
    int j = 0;
    do {
      float d = xi - x[j];
      s += d * d;
      ++j;
    } while (j <= i);
    y[i] = s;
  }
}
