//@case {"kernel": "softmax", "rules": ["cuda-keep-row-in-registers", "cuda-stage-reused-row", "cuda-vectorize-threads"], "spec": {"launch": {"grid": ["rows"], "arguments": ["x", "y", {"value": "cols", "dtype": "int32"}]}, "inputs": {"x": {"dtype": "float32", "shape": ["rows", "cols"]}}, "outputs": {"y": {"dtype": "float32", "shape": ["rows", "cols"]}}, "shapes": [{"sizes": {"rows": 32, "cols": 700}}, {"sizes": {"rows": 32, "cols": 30}}], "reference": {"expressions": {"y": "np.exp(x - x.max(axis=1, keepdims=True)) / np.exp(x - x.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)"}}}}
constexpr int kThreads = 128;

__device__ float all(float v, float* shared, bool sum) {
  int tid = threadIdx.x;
  shared[tid] = v;
  __syncthreads();
  for (int s = kThreads / 2; s > 0; s /= 2) {
    if (tid < s) shared[tid] = sum ? shared[tid] + shared[tid + s] : fmaxf(shared[tid], shared[tid + s]);
    __syncthreads();
  }
  v = shared[0];
  __syncthreads();
  return v;
}

__global__ void softmax(float* x, float* y, int cols) {
  __shared__ float buf[kThreads];
  const int tid = threadIdx.x;
  float* row = x + blockIdx.x * cols;
  float* dst = y + blockIdx.x * cols;
  float m = -1e30f;
  for (int c = tid; c < cols; c += kThreads)
    m = fmaxf(m, row[c]);
  m = all(m, buf, false);
  float s = 0.0f;
  for (int c = tid; c < cols; c += kThreads)
    s += expf(row[c] - m);
  s = all(s, buf, true);
  for (int c = tid; c < cols; c += kThreads)
    dst[c] = expf(row[c] - m) / s;
}

void run(float* x, float* y, int rows, int cols) { softmax<<<rows, kThreads>>>(x, y, cols); }
