//@case {"kernel": "turned", "facts": {"kernel": "turned<float, 32, 8>", "sharedBytes": 4096}}
template <typename scalar_t, int Side, int Rows>
__global__ void turned(const scalar_t* in, scalar_t* out, int rows, int columns) {
  __shared__ scalar_t tile[Side][Side];
  int column = blockIdx.x * Side + threadIdx.x;
  int row = blockIdx.y * Side + threadIdx.y;
  for (int k = 0; k < Side; k += Rows)
    if (column < columns && row + k < rows)
      tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * columns + column];
  __syncthreads();
  int to = blockIdx.y * Side + threadIdx.x;
  int from = blockIdx.x * Side + threadIdx.y;
  for (int k = 0; k < Side; k += Rows)
    if (to < rows && from + k < columns)
      out[(from + k) * rows + to] = tile[threadIdx.x][threadIdx.y + k]; //@ sharedWavefronts=262144 sharedWavefrontsIdeal=65536
}

template <typename scalar_t>
void turn(const scalar_t* in, scalar_t* out, int rows, int columns) {
  constexpr int Side = 32;
  constexpr int Rows = 8;
  dim3 grid((columns + Side - 1) / Side, (rows + Side - 1) / Side);
  turned<scalar_t, Side, Rows><<<grid, dim3(Side, Rows)>>>(in, out, rows, columns);
}
