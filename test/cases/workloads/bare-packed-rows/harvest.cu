// Weighs crates that were picked in rows of an orchard, one after the other in memory.
//   grid: crates, block: (LANES)
// row_ptr holds where each row of trees begins; ripeness[row] is what the row was graded.
template <int LANES>
__global__ void weigh(const float* crate, const unsigned* row_ptr, const float* ripeness, float* worth, int rows) {
  const unsigned c = blockIdx.x;
  int row = 0;
  while (row + 1 < rows && c >= row_ptr[row + 1]) ++row;
  for (int k = threadIdx.x; k < 64; k += LANES) worth[c * 64 + k] = crate[c * 64 + k] * ripeness[row];
}

template __global__ void weigh<32>(const float*, const unsigned*, const float*, float*, int);
