//@case {"kernel": "moments", "rules": ["cuda-sequential-tree"], "spec": {"launch": {"arguments": ["v", "sums", "squares"], "grid": [50], "block": [128], "sharedBytes": 2048}, "inputs": {"v": {"dtype": "float64", "shape": [50, 128]}}, "outputs": {"sums": {"dtype": "float64", "shape": [50]}, "squares": {"dtype": "float64", "shape": [50]}}, "shapes": [{"sizes": {}}], "reference": {"expressions": {"sums": "v.sum(axis=1)", "squares": "(v * v).sum(axis=1)"}}}}
__global__ void moments(const double* v, double* sums, double* squares) {
  extern __shared__ double pool[];
  double* s = pool;
  double* q = pool + blockDim.x;
  double mine = v[blockIdx.x * blockDim.x + threadIdx.x];
  s[threadIdx.x] = mine;
  q[threadIdx.x] = mine * mine;
  for (int gap = 1; gap < blockDim.x; gap *= 2) {
    __syncthreads();
    if (threadIdx.x % (2 * gap) == 0) {
      s[threadIdx.x] += s[threadIdx.x + gap];
      q[threadIdx.x] = q[threadIdx.x] + q[threadIdx.x + gap];
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = s[0];
    squares[blockIdx.x] = q[0];
  }
}
