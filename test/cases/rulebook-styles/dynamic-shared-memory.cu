//@case {"kernel": "sum_blocks", "rules": ["cuda-shuffle-tree-reduction", "cuda-vectorize-threads"], "spec": {"launch": {"grid": ["blocks"], "arguments": ["g_in", "g_out", {"value": "n", "dtype": "int32"}]}, "inputs": {"g_in": {"dtype": "float32", "shape": ["blocks", "n"]}}, "outputs": {"g_out": {"dtype": "float32", "shape": ["blocks"]}}, "shapes": [{"sizes": {"blocks": 32, "n": 700}}, {"sizes": {"blocks": 32, "n": 9}}], "reference": {"expressions": {"g_out": "g_in.sum(axis=1)"}}}}
__global__ void sum_blocks(const float *g_in, float *g_out, unsigned int n) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  float mine = 0;
  for (unsigned int i = tid; i < n; i += blockDim.x)
    mine += g_in[blockIdx.x * n + i];
  sdata[tid] = mine;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) g_out[blockIdx.x] = sdata[0];
}

void run(const float *g_in, float *g_out, unsigned int n, int blocks) {
  const int threads = 256;
  sum_blocks<<<blocks, threads, threads * sizeof(float)>>>(g_in, g_out, n);
}
