//@case {"kernel": "norms"}
__global__ void norms(const float* x, float* y, int n) {
  __shared__ float squares[128];
  int tid = threadIdx.x, at = blockIdx.x * blockDim.x + tid;
  float v = at < n ? x[at] : 0.0f;
  squares[tid] = v * v; //@ instructions=2000
  __syncthreads();
  if (!tid) {
    float total = 0.0f;
    #pragma unroll 8
    for (int k = 0; k < blockDim.x; k++) {
      total = total + squares[k]; //@ instructions=6000
    }
    y[blockIdx.x] = sqrtf(total);
  }
}
void run(const float* x, float* y, int n) { norms<<<(n + 127) / 128, 128>>>(x, y, n); }
