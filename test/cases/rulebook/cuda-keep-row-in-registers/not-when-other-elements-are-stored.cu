//@case {"kernel": "turn", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": ["y", "s", "rows", "n"]}}, "shapes": [{"sizes": {"rows": 64, "n": 500}}]}}
__global__ void turn(float* y, float* s, int n) {
  float* out = y + blockIdx.x * n;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    sum += out[i]; //@ globalLoadSectors=4000
    out[i] = sum; //@ globalStoreSectors=4000
    out[n - 1 - i] = 0.0f; //@ globalStoreSectors=4000
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += out[i]; //@ globalLoadSectors=4000
  s[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
void run(float* y, float* s, int rows, int n) { turn<<<rows, 128>>>(y, s, n); }
