//@case {"kernel": "weigh", "threads": 96, "launches": [{"blocks": 512}]}
__global__ void weigh(float* table, const float* weights, int rows, int columns) {
  const int c = blockIdx.x;
  for (int r = threadIdx.x; r < rows; r += blockDim.x)
    table[r * columns + c] *= weights[c]; //@ globalLoadSectors=80000 globalLoadSectorsIdeal=10000 globalStoreSectors=80000 globalStoreSectorsIdeal=10000
}
void run(float* table, const float* weights, int rows, int columns) {
  weigh<<<columns, 96>>>(table, weights, rows, columns);
}
