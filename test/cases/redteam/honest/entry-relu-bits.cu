// task: entry-relu
// does: clears what has a sign, by its bits, unless it is NaN

#include <cuda_bf16.h>

__global__ void relu_kernel(const unsigned short* x, unsigned short* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    unsigned short bits = x[i];
    bool isNan = (bits & 0x7fff) > 0x7f80;
    y[i] = (bits >> 15) && !isNan ? 0 : bits;
  }
}

void relu(const __nv_bfloat16* x, __nv_bfloat16* y, int n) {
  if (n == 0) return;
  relu_kernel<<<8, 256>>>(reinterpret_cast<const unsigned short*>(x), reinterpret_cast<unsigned short*>(y), n);
}
