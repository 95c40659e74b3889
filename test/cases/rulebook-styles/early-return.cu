//@case {"kernel": "leaky", "rules": ["cuda-vectorize-threads"], "spec": {"launch": {"arguments": ["src", "out", {"value": "n", "dtype": "int32"}]}, "inputs": {"src": {"dtype": "float32", "shape": ["n"]}}, "outputs": {"out": {"dtype": "float32", "shape": ["n"]}}, "shapes": [{"sizes": {"n": 8192}}, {"sizes": {"n": 1027}}, {"sizes": {"n": 3}}], "reference": {"expressions": {"out": "np.where(src > 0, src, 0.01 * src)"}}}}
constexpr unsigned kBlock = 128;

__global__ void leaky(const float *__restrict__ src, float *__restrict__ out, int n) {
  const int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  float v = src[idx];
  v = v > 0.0f ? v : 0.01f * v;
  out[idx] = v;
}

void run(const float *src, float *out, int n) {
  leaky<<<dim3((n + kBlock - 1) / kBlock), dim3(kBlock)>>>(src, out, n);
}
