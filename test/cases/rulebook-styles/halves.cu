//@case {"kernel": "gate", "rules": ["cuda-vectorize-threads"], "spec": {"launch": {"arguments": ["a", "b", "c", {"value": "n", "dtype": "int32"}]}, "inputs": {"a": {"dtype": "float16", "shape": ["n"]}, "b": {"dtype": "float16", "shape": ["n"]}}, "outputs": {"c": {"dtype": "float16", "shape": ["n"]}}, "shapes": [{"sizes": {"n": 8192}}, {"sizes": {"n": 1027}}, {"sizes": {"n": 3}}], "reference": {"expressions": {"c": "a * b"}}}}
#include <cuda_fp16.h>

__global__ void gate(const __half* a, const __half* b, __half* c, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) {
    __half left = a[i];
    c[i] = __hmul(left, b[i]);
  }
}

void run(const __half* a, const __half* b, __half* c, int n) {
  int threads = 256;
  gate<<<(n + threads - 1) / threads, threads>>>(a, b, c, n);
}
