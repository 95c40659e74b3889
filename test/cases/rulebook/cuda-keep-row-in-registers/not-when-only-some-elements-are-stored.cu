//@case {"kernel": "relu_sum", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": ["y", "s", "rows", "n"]}}, "shapes": [{"sizes": {"rows": 64, "n": 500}}]}}
__global__ void relu_sum(float* y, float* s, int n) {
  float* out = y + blockIdx.x * n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (i % 3 == 0) out[i] = 1.0f; //@ globalLoadSectors=4000 globalStoreSectors=4000
  }
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += out[i]; //@ globalLoadSectors=4000
  s[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
void run(float* y, float* s, int rows, int n) { relu_sum<<<rows, 128>>>(y, s, n); }
