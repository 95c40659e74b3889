//@case {"kernel": "tally"}
__global__ void tally(const float* x, float* y, int* hits, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * 4) return;
  float v = x[i / 4];
  if (i % 4 == 0) v = sqrtf(v);  //@ divergentBranches=400 instructions=8000
  else atomicAdd(hits, 1);
  y[i] = v;
}
void run(const float* x, float* y, int* hits, int n) {
  tally<<<(n * 4 + 127) / 128, 128>>>(x, y, hits, n);
}
