//@case {"kernel": "norm"}
#include <cuda_fp16.h>
__global__ void norm(__half* residual, const __half* branch, const __half* gamma, __half* out, int hidden) {
  __shared__ float squares[256];
  const int base = blockIdx.x * hidden;
  float ss = 0.f;
  for (int i = threadIdx.x; i < hidden; i += blockDim.x) {
    const __half r = __hadd(residual[base + i], branch[base + i]); //@ instructions=40000 globalLoadRequests=4000 globalLoadSectors=8000 globalBytesRequested=256000
    residual[base + i] = r; //@ instructions=9000 globalStoreRequests=2000 globalStoreSectors=4000 globalBytesRequested=128000
    ss += __half2float(r) * __half2float(r);
  }
  squares[threadIdx.x] = ss;
  __syncthreads();
  float total = 0.f;
  for (int k = 0; k < 256; ++k) total += squares[k];
  for (int c = threadIdx.x; c < hidden; c += blockDim.x)
    out[base + c] = __float2half(__half2float(residual[base + c]) * rsqrtf(total) * __half2float(gamma[c])); //@ instructions=40000 globalLoadRequests=4000 globalLoadSectors=8000 globalStoreRequests=2000 globalStoreSectors=4000 globalBytesRequested=384000
}
void run(__half* residual, const __half* branch, const __half* gamma, __half* out, int tokens, int hidden) {
  norm<<<tokens, 256>>>(residual, branch, gamma, out, hidden);
}
