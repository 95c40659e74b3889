//@case {"kernel": "roots", "rules": ["cuda-interleave-thread-items", "cuda-warp-per-row"], "spec": {"launch": {"arguments": ["src", "out", {"value": "n", "dtype": "int32"}]}, "inputs": {"src": {"dtype": "float32", "shape": ["n"]}}, "outputs": {"out": {"dtype": "float32", "shape": ["n"]}}, "shapes": [{"sizes": {"n": 8192}}, {"sizes": {"n": 1027}}], "reference": {"expressions": {"out": "np.abs(src) + 1"}}}}
#define ITEMS 8
#define THREADS 128

__global__ void roots(const float* src, float* out, int n) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int base = tid * ITEMS;
  for (int k = 0; k < ITEMS; k++) {
    int idx = base + k;
    if (idx < n)
      out[idx] = fabsf(src[idx]) + 1.0f;
  }
}

void run(const float* src, float* out, int n) {
  int per_block = THREADS * ITEMS;
  roots<<<(n + per_block - 1) / per_block, THREADS>>>(src, out, n);
}
