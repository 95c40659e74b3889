//@case {"kernel": "spread", "spec": {"run": {"kind": "launch", "launch": {"grid": [1], "block": [64], "arguments": ["x", "y", {"value": 100, "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 100}}]}}
__global__ void spread(const int* x, int* y, int n) {
  // The shared total.
  __shared__ int total, stagedX;
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    sum += x[i] * x[i];  //@ globalLoadSectors=26
  }
  atomicAdd(&total, sum);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int value = x[i];  //@ globalLoadSectors=13
    y[i] = max(x[i], total) + x[i] / value;  //@ globalLoadSectors=26
  }
}
