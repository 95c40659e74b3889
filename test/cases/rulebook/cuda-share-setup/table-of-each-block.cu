//@case {"kernel": "recolour", "launches": [{"blocks": 4000, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 8192, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
#include <cuda_runtime.h>
__global__ void recolour(const unsigned char* pixel, const float* table, float* out, int n) {
  __shared__ float seen[2048];
  for (int k = threadIdx.x; k < 2048; k += blockDim.x)
    seen[k] = table[k]; //@ globalLoadRequests=32000 instructions=90000
  __syncthreads();

  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // Eight entries for each colour.
  const int colour = pixel[i]; //@ globalLoadRequests=4000
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k) sum += seen[8 * colour + k];
  out[i] = sum;
}
void recolour_all(const unsigned char* pixel, const float* table, float* out, int n) {
  recolour<<<(n + 255) / 256, 256>>>(pixel, table, out, n);
}
