__global__ void pack3(const float *from, float *to, int planes, int rows, int cols, long plane_step, long row_step, long col_step) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y;
  int p = blockIdx.z;
  if (p < planes && r < rows && c < cols)
    to[(p * rows + r) * (long)cols + c] = from[p * plane_step + r * row_step + c * col_step];
}
