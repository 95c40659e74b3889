// one device's share of a matrix: rows S_ROW up to, not including, E_ROW
__global__ void damp_rows(const float *before, float *after, int S_ROW, int E_ROW, int COLS, float rate)
{
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = S_ROW + blockIdx.y * blockDim.y + threadIdx.y;
  if (r < E_ROW && c < COLS)
    after[r * COLS + c] = (1.0f - rate) * before[r * COLS + c];
}
