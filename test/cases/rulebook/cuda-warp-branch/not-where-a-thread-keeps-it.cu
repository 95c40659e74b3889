//@case {"kernel": "norm"}
// The sum is the first thread's own variable, which it uses behind the branch.
__global__ void norm(const float* x, float* out, int n) {
  __shared__ float part[1024];
  float total = 0.f;
  for (int i = threadIdx.x; i < n; i += 128) part[i] = x[blockIdx.x * n + i];
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < n; ++i) total += part[i]; //@ instructions=6000
  }
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}
void run(const float* x, float* out, int rows, int n) { norm<<<rows, 128>>>(x, out, n); }
