//@case {"kernel": "mix", "spec": {"outputs": {"mixed": {"dtype": "float32", "shape": [32, 64]}}}}
#define SIDE 16

// The tiles stand in the loop, as in many a textbook.
__global__ void mix(float *mixed, const float *a, const float *b, int rows, int columns, int inner) {
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * SIDE + ty;
  int column = blockIdx.x * SIDE + tx;
  float value = 0;
  for (int m = 0; m < (inner + SIDE - 1) / SIDE; ++m) { //@ instructions=2000000
    __shared__ float as[SIDE][SIDE], bs[SIDE][SIDE];
    as[ty][tx] = row < rows && m * SIDE + tx < inner ? a[row * inner + m * SIDE + tx] : 0.0f;
    bs[ty][tx] = column < columns && m * SIDE + ty < inner ? b[(m * SIDE + ty) * columns + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < SIDE; ++k) value += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row < rows && column < columns) mixed[row * columns + column] = value;
}

void run(float *mixed, const float *a, const float *b, int rows, int columns, int inner) {
  dim3 threads(SIDE, SIDE);
  dim3 grid((columns + SIDE - 1) / SIDE, (rows + SIDE - 1) / SIDE);
  mix<<<grid, threads>>>(mixed, a, b, rows, columns, inner);
}
