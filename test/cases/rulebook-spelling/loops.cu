//@case {"kernel": "walk"}
#define AT(r, c) ((r) * n + (c))
__global__ void walk(const float* in, const float* __restrict__ weight, float* out, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  int j = 0;
  while (j < n) {
    sum += in[AT(row, j)] * in[AT(row,
                                  j)];
    j++;
  }
  int k, left;
  for (k = 0; k < n; k++) out[AT(row, k)] = sum * weight[k];
  size_t i = threadIdx.x;
  for (; i < n; i += blockDim.x) sum += weight[i];
  left = n;
  while (left > 0) {
    if (sum < 0) continue;
    left -= 1;
  }
}
