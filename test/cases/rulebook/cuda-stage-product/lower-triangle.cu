//@case {"kernel": "pairSums", "launches": [{"kernel": "pairSums", "grid": [64, 64, 1], "block": [16, 16, 1]}]}
// Sums of products of all pairs of columns, the lower triangle alone.
__global__ void pairSums(const float* samples, float* sums, int columns, int rows) {
  int other = blockIdx.x * blockDim.x + threadIdx.x;
  int one = blockIdx.y * blockDim.y + threadIdx.y;
  if (one >= columns || other > one) return;
  float sum = 0.0f;
  for (int row = 0; row < rows; ++row)
    sum += samples[row * columns + one] * samples[row * columns + other]; //@ globalLoadRequests=400000 globalLoadSectors=900000 globalLoadSectorsIdeal=900000
  sums[one * columns + other] = sum;
}
void launch(const float* samples, float* sums, int columns, int rows) {
  dim3 block(16, 16), grid((columns + 15) / 16, (columns + 15) / 16);
  pairSums<<<grid, block>>>(samples, sums, columns, rows);
}
