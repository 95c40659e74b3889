// Heat on a torus: each block is a ring of blockDim.x cells, and the rings are closed into one another.
__global__ void spread_heat(const float *warmth, float *warmer, bool is_last, int turn) {
  int cell = threadIdx.x, ring = blockIdx.x;
  int before = ring == 0 ? gridDim.x - 1 : ring - 1;
  int behind = ring == gridDim.x - 1 ? 0 : ring + 1;
  float sum = warmth[cell * gridDim.x + before] + warmth[cell * gridDim.x + behind];
  warmer[cell * gridDim.x + ring] = is_last ? 0.5f * sum : 0.5f * warmth[cell * gridDim.x + ring] + 0.25f * sum;
}
