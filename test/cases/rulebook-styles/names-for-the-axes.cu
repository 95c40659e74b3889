//@case {"kernel": "add_ints", "rules": ["cuda-vectorize-threads"], "spec": {"launch": {"arguments": ["a", "b", "c", {"value": "n", "dtype": "int32"}]}, "inputs": {"a": {"dtype": "int32", "shape": ["n"]}, "b": {"dtype": "int32", "shape": ["n"]}}, "outputs": {"c": {"dtype": "int32", "shape": ["n"]}}, "shapes": [{"sizes": {"n": 8192}}, {"sizes": {"n": 1027}}, {"sizes": {"n": 3}}], "reference": {"expressions": {"c": "a + b"}}}}
#define N_THREADS 256

__global__ void add_ints(int *a, int *b, int *c, int n) {
  int bx = blockIdx.x, tx = threadIdx.x;
  int i = bx * blockDim.x + tx;
  if (n > i) { c[i] = a[i] + b[i]; }
}

void run(int *a, int *b, int *c, int n) {
  int n_blocks = (n - 1) / N_THREADS + 1;
  add_ints<<<n_blocks, N_THREADS>>>(a, b, c, n);
}
