//@case {"kernel": "relax", "launches": []}
__device__ float total(const float* row, int n) {
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += row[k];  //@ instructions=50000
  return sum;
}

__global__ void relax(float* rows, int n, int steps) {
  float* row = rows + (blockIdx.x * blockDim.x + threadIdx.x) * n;
  for (int s = 0; s < steps; ++s) {
    const float all = total(row, n);  //@ instructions=500
    row[s] = all;  //@ instructions=500
  }
}

void run(float* rows, int n, int steps) { relax<<<64, 256>>>(rows, n, steps); }
