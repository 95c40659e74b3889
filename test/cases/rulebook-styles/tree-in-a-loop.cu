//@case {"kernel": "dots", "rules": ["cuda-tree-behind-loop", "cuda-shuffle-tree-reduction"], "spec": {"launch": {"arguments": ["a", "b", "out", {"value": "n", "dtype": "int32"}], "grid": ["rows"]}, "inputs": {"a": {"dtype": "int8", "shape": ["rows", "n"], "distribution": "integers"}, "b": {"dtype": "int8", "shape": ["n"], "distribution": "integers"}}, "outputs": {"out": {"dtype": "int32", "shape": ["rows"]}}, "shapes": [{"sizes": {"rows": 40, "n": 1000}}, {"sizes": {"rows": 40, "n": 7}}], "reference": "baseline"}}
constexpr int WIDTH = 128;

__global__ void dots(const signed char* a, const signed char* b, int* out, int n) {
  __shared__ int part[WIDTH];
  int sum = 0;
  for (int first = 0; first < n; first += WIDTH) {
    int k = first + threadIdx.x;
    part[threadIdx.x] = k < n ? a[blockIdx.x * n + k] * b[k] : 0;
    __syncthreads();
    for (int half = WIDTH / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
      __syncthreads();
    }
    if (threadIdx.x == 0) sum += part[0];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

void run(const signed char* a, const signed char* b, int* out, int rows, int n) { dots<<<rows, 128>>>(a, b, out, n); }
