//@case {"kernel": "distances"}
#include <cstdint>
enum { PARTS = 16 };
__global__ void distances(const uint8_t* codes, const float* tables, float* out, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int m = 0; m < PARTS; ++m)
    sum += tables[m * 256 + codes[row * PARTS + m]];  //@ globalLoadRequests=3200
  out[row] = sum;  //@ globalStoreRequests=100
}
