//@case {"kernel": "turns"}
__global__ void turns(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * 4) return;
  float v = x[i / 4] + threadIdx.x;
  if (i % 4 == 0) v = sqrtf(v);  //@ divergentBranches=400 instructions=8000
  y[i] = v;
}
void run(const float* x, float* y, int n) {
  turns<<<(n * 4 + 127) / 128, 128>>>(x, y, n);
}
