//@case {"kernel": "transpose"}
constexpr int kRowsPerStep = 8;

template <typename T, int kTile>
__global__ void transpose(const T* input, T* output, int rows, int columns) {
  __shared__ T tile[kTile][kTile];

  int column = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  for (int step = 0; step < kTile; step += kRowsPerStep) {
    if (row + step < rows && column < columns) {
      tile[threadIdx.y + step][threadIdx.x] = input[(row + step) * columns + column];
    }
  }
  __syncthreads();

  column = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  for (int step = 0; step < kTile; step += kRowsPerStep) {
    if (row + step < columns && column < rows) {
      output[(row + step) * rows + column] = tile[threadIdx.x][threadIdx.y + step];  //@ sharedWavefronts=65536 sharedWavefrontsIdeal=2048 globalStoreSectors=8192 globalStoreSectorsIdeal=8192
    }
  }
}

template <int kTile>
void launch_transpose(const float* input, float* output, int rows, int columns) {
  dim3 block(kTile, kRowsPerStep);
  dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose<float, 32><<<grid, block>>>(input, output, rows, columns);
}
