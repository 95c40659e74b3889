//@case {"kernel": "row_max", "rules": ["cuda-shuffle-tree-reduction", "cuda-vectorize-threads"], "spec": {"launch": {"grid": ["rows"], "arguments": ["x", "y", {"value": "cols", "dtype": "int32"}]}, "inputs": {"x": {"dtype": "float32", "shape": ["rows", "cols"]}}, "outputs": {"y": {"dtype": "float32", "shape": ["rows"]}}, "shapes": [{"sizes": {"rows": 32, "cols": 700}}, {"sizes": {"rows": 32, "cols": 300}}], "reference": {"expressions": {"y": "x.max(axis=1)"}}}}
#define TPB 128

__global__ void row_max(float *x, float *y, int cols) {
  __shared__ float cache[TPB];
  int t = threadIdx.x;
  float best = -1e30f;
  for (int c = t; c < cols; c += TPB)
    best = fmaxf(best, x[blockIdx.x * cols + c]);
  cache[t] = best;
  __syncthreads();
  for (int s = TPB / 2; s != 0; s /= 2) {
    if (t < s) {
      cache[t] = fmaxf(cache[t], cache[t + s]);
    }
    __syncthreads();
  }
  if (t == 0)
    y[blockIdx.x] = cache[0];
}

void run(float *x, float *y, int rows, int cols) { row_max<<<rows, TPB>>>(x, y, cols); }
