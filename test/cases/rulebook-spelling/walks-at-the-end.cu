//@case {"kernel": "norms"}
__global__ void norms(const float* __restrict__ rows, float* norms, int count, int length) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= count) return;
  const float* at = rows + (long)row * length;
  const float* end = at + length;
  float sum = 0.0f;
  do {
    sum += *at * *at;
  } while (++at < end);
  norms[row] = sum;
}
