//@case {"kernel": "shift", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": ["in", "out", {"value": "batch", "dtype": "int32"}, {"value": "width", "dtype": "int32"}]}}, "shapes": [{"sizes": {"batch": 64, "width": 900}}]}}
__global__ void shift(const float* x, float* y, int n) {
  __shared__ float part[256];
  float most = -INFINITY;
  y += (size_t)blockIdx.x * n;
  for (int c = threadIdx.x; c < n; c += blockDim.x) most = fmaxf(most, x[blockIdx.x * n + c]);  //@ globalLoadSectors=8192 instructions=9000
  part[threadIdx.x] = most;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + s]);
    __syncthreads();
  }
  for (int k = threadIdx.x; k < n; k += blockDim.x) y[k] = x[n * blockIdx.x + k] - part[0];  //@ globalLoadSectors=8192 globalStoreSectors=8192
}

void run(const float* in, float* out, int rows, int columns) {
  shift<<<rows, 256>>>(in, out, columns);
}
