//@case {"kernel": "decode"}
__global__ void decode(const int* first, const float* x, float* y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float state = 0.0f;
  for (int k = first[row]; k < first[row + 1]; ++k) {  //@ instructions=9000 threadInstructions=90000 divergentBranches=90
    state = 0.5f * state + x[k];  //@ instructions=9000 threadInstructions=90000 globalLoadSectors=8000 globalLoadSectorsIdeal=7000
  }
  y[row] = state;
}
void run(const int* first, const float* x, float* y, int rows) { decode<<<(rows + 127) / 128, 128>>>(first, x, y, rows); }
