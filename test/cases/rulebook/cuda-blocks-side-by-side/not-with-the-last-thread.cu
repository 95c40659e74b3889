//@case {"kernel": "fold", "threads": 64, "launches": [{"blocks": 20000}]}
__global__ void fold(const float* table, float* out, int columns) {
  __shared__ float part[64];
  part[threadIdx.x] = table[threadIdx.x * columns + blockIdx.x]; //@ globalLoadSectors=80000 globalLoadSectorsIdeal=10000
  __syncthreads();
  out[threadIdx.x * columns + blockIdx.x] = part[63 - threadIdx.x];
}
void run(const float* table, float* out, int columns) { fold<<<columns, 64>>>(table, out, columns); }
