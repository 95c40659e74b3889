//@case {"kernel": "shift", "rules": ["cuda-vectorize-threads", "cuda-whole-warp-blocks"], "spec": {"launch": {"arguments": ["p", {"value": "n", "dtype": "int32"}]}, "inputs": {"p": {"dtype": "int32", "shape": ["n"]}}, "outputs": {"p": {"dtype": "int32", "shape": ["n"]}}, "shapes": [{"sizes": {"n": 8192}}, {"sizes": {"n": 1027}}, {"sizes": {"n": 3}}], "reference": {"expressions": {"p": "p + 7"}}}}
enum Launch { kThreads = 80 };

__global__ void shift(int* p, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) p[i] += 7;
}

void run(int* p, int n) { shift<<<(n + kThreads - 1) / kThreads, kThreads>>>(p, n); }
