//@case {"kernel": "soften", "launches": [{"blocks": 8, "threadsPerBlock": 64, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void soften(const float* logits, float* out, int rows, int cols) {
  __shared__ float sums[64];
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    float own = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) own += expf(logits[r * cols + c]);  //@ instructions=40000
    sums[threadIdx.x] = own;
    __syncthreads();
    for (int half = 32; half > 0; half >>= 1) {
      if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
      __syncthreads();
    }
    for (int c = threadIdx.x; c < cols; c += blockDim.x) out[r * cols + c] = expf(logits[r * cols + c]) / sums[0];
    __syncthreads();
  }
}

void run(const float* logits, float* out, int rows, int cols) {
  soften<<<8, 64>>>(logits, out, rows, cols);
}
