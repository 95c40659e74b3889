//@case {"kernel": "rows", "threads": 64}
__global__ void rows(const float* table, float* out, int columns) {
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    sum += table[blockIdx.x * columns + c]; //@ globalLoadSectors=80000 globalLoadSectorsIdeal=10000
  atomicAdd(&out[blockIdx.x], sum);
}
void run(const float* table, float* out, int count, int columns) { rows<<<count, 64>>>(table, out, columns); }
