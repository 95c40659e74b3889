//@case {"kernel": "widen"}
#include <cuda_fp16.h>
template <typename Q>
__global__ void widen(const Q* __restrict__ codes, half* values, float scale, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    values[i] = __float2half(scale * (float)codes[i]);  //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=4096 globalBytesRequested=393216
}

void run(const unsigned char* codes, half* values, float scale, int n) {
  widen<unsigned char><<<(n + 255) / 256, 256>>>(codes, values, scale, n);
}
