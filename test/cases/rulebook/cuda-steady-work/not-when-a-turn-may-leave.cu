//@case {"kernel": "pick", "launches": []}
__device__ float total(const float* row, int n) {
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += row[k];  //@ instructions=50000
  return sum;
}

__global__ void pick(const float* row, const int* wanted, float* out, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = 0; s < steps; ++s) {
    if (wanted[s] < 0) continue;
    out[s * 64 + i] = total(row, n) * i;  //@ instructions=500
  }
}

void run(const float* row, const int* wanted, float* out, int n, int steps) {
  pick<<<1, 64>>>(row, wanted, out, n, steps);
}
