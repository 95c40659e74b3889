//@case {"kernel": "drain", "threads": 64, "launches": [{"blocks": 20000}]}
__global__ void drain(const float* table, const int* rows, float* out, int columns) {
  __shared__ float part[64];
  float sum = 0.0f;
  for (int r = 0; r < rows[blockIdx.x]; r += 64) {
    part[threadIdx.x] = table[(r + threadIdx.x) * columns + blockIdx.x]; //@ globalLoadSectors=80000 globalLoadSectorsIdeal=10000
    __syncthreads();
    sum += part[threadIdx.x ^ 1];
    __syncthreads();
  }
  out[threadIdx.x * columns + blockIdx.x] = sum;
}
void run(const float* table, const int* rows, float* out, int columns) {
  drain<<<columns, 64>>>(table, rows, out, columns);
}
