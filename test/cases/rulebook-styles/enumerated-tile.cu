//@case {"kernel": "flip", "rules": ["cuda-pad-shared-tile", "cuda-swizzle-shared-tile"], "spec": {"launch": {"arguments": ["out", "src", {"value": "rows", "dtype": "int32"}, {"value": "cols", "dtype": "int32"}]}, "inputs": {"src": {"dtype": "float32", "shape": ["rows", "cols"]}}, "outputs": {"out": {"dtype": "float32", "shape": ["cols", "rows"]}}, "shapes": [{"sizes": {"rows": 128, "cols": 128}}, {"sizes": {"rows": 33, "cols": 70}}], "reference": {"expressions": {"out": "src.T"}}}}
enum { TILE = 32 };

__global__ void flip(float *out, const float *src, int rows, int cols) {
  __shared__ float tile[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
  if (x < cols && y < rows)
    tile[ty][tx] = src[y * cols + x];
  __syncthreads();
  x = blockIdx.y * TILE + tx;
  y = blockIdx.x * TILE + ty;
  if (x < rows && y < cols)
    out[y * rows + x] = tile[tx][ty];
}

void run(float *out, const float *src, int rows, int cols) {
  dim3 threads(TILE, TILE), blocks((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  flip<<<blocks, threads>>>(out, src, rows, cols);
}
