//@case {"kernel": "best"}
// What the first thread has loaded is another value in the other lanes.
__global__ void best(const float* x, float* out, int n) {
  __shared__ float part[256];
  float own = x[blockIdx.x * 256 + threadIdx.x];
  part[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    float most = own;
    for (int i = 1; i < n; ++i) most = fmaxf(most, part[i]); //@ instructions=6000
    out[blockIdx.x] = most;
  }
}
void run(const float* x, float* out, int rows, int n) { best<<<rows, 256>>>(x, out, n); }
