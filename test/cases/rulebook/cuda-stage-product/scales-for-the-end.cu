//@case {"kernel": "scaled", "launches": [{"kernel": "scaled", "grid": [63, 188, 1], "block": [16, 16, 1]}]}
// A product whose rows and columns have scales; both, and the bias, are looked up in front of the loop.
__global__ void scaled(const float* __restrict__ a, const float* __restrict__ b, const float* __restrict__ rowScale,
                       const float* __restrict__ columnScale, const float* __restrict__ bias, float* out, int m, int n, int depth) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= n || row >= m) return;
  float left = rowScale[row], right = columnScale[column];
  float both = left * right;
  float added = bias[column] + 0.5f * out[row * n + column];
  float sum = 0.0f;
  for (int k = 0; k < depth; ++k) {
    sum += a[row * depth + k] * b[k * n + column];  //@ globalLoadRequests=200000 globalLoadSectors=600000 globalLoadSectorsIdeal=600000
  }
  out[row * n + column] = sum * both + added;
}

void run(const float* a, const float* b, const float* r, const float* c, const float* bias, float* out, int m, int n, int depth) {
  dim3 block(16, 16);
  scaled<<<dim3((n + 15) / 16, (m + 15) / 16), block>>>(a, b, r, c, bias, out, m, n, depth);
}
