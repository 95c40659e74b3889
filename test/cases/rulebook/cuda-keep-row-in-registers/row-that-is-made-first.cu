//@case {"kernel": "softmax", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": ["x", "y", "rows", "n"]}}, "shapes": [{"sizes": {"rows": 64, "n": 500}}]}}
__global__ void softmax(const float* x, float* y, int n) {
  __shared__ float parts[128];
  const float* row = x + blockIdx.x * n;
  float* out = y + blockIdx.x * n;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    out[i] = expf(row[i]); //@ globalLoadSectors=4000 globalStoreSectors=4000
    sum += out[i]; //@ globalLoadSectors=4000
  }
  parts[threadIdx.x] = sum;
  __syncthreads();
  float total = 0.0f;
  for (int k = 0; k < blockDim.x; ++k) total += parts[k];
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = out[i] / total; //@ globalLoadSectors=4000 globalStoreSectors=4000
}
void run(const float* x, float* y, int rows, int n) { softmax<<<rows, 128>>>(x, y, n); }
