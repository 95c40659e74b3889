//@case {"kernel": "block_scan", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["in", "out", "totals", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
#define THREADS 512
__global__ void block_scan(const float* __restrict__ in, float* __restrict__ out, float* __restrict__ totals, int n) {
  __shared__ float buf[THREADS];
  int tid = threadIdx.x;
  int i = blockIdx.x * THREADS + tid;
  buf[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int offset = 1; offset < THREADS; offset *= 2) { //@ instructions=9000
    float v = 0.0f;
    if (tid >= offset) v = buf[tid - offset]; //@ instructions=9000
    __syncthreads(); //@ barriers=1152
    buf[tid] += v; //@ instructions=9000
    __syncthreads(); //@ barriers=1152
  }
  if (i < n) out[i] = buf[tid];
  if (tid == THREADS - 1) totals[blockIdx.x] = buf[tid];
}
void launch(const float* in, float* out, float* totals, int n) {
  block_scan<<<(n + THREADS - 1) / THREADS, THREADS>>>(in, out, totals, n);
}
