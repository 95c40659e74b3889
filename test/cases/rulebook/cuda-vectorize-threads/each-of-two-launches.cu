//@case {"kernel": "threshold"}
#include <cstdint>
template <bool ABOVE>
__global__ void threshold(const uint8_t* in, uint8_t* out, int limit, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const bool hit = ABOVE ? in[i] > limit : in[i] < limit;  //@ globalLoadRequests=3200 globalBytesRequested=102400 instructions=30000
  out[i] = hit ? 255 : 0;  //@ globalStoreRequests=3200 globalBytesRequested=102400 instructions=9000
}
void run(const uint8_t* in, uint8_t* out, int limit, int n, bool above, cudaStream_t stream) {
  const int blocks = (n + 255) / 256;
  if (above) threshold<true><<<blocks, 256, 0, stream>>>(in, out, limit, n);
  else threshold<false><<<dim3((n + 255) / 256), 256, 0, stream>>>(in, out, limit - 1, n);
}
