//@case {"kernel": "clip_rows"}
static __device__ void clip_row(float* row, int length, float most) {
  if (most <= 0.0f) return;
  for (int k = 0; k < length; ++k) row[k] = fminf(row[k], most);
}

__device__ void counted(int* seen, int i) {
  if (i > 9) return;
  seen[i] = 1;
}

__global__ void clip_rows(float* x, int* seen, int rows, int length, float most) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  counted(seen, r);
  if (r < rows) {
    clip_row(x + r * length, length, most);
  }
}
