//@case {"kernel": "blend"}
#include <cstdint>
__global__ void blend(const float* a, const float* b, float* out, std::int64_t width, std::int64_t height) {
  const std::int64_t cells = width * height;
  for (std::int64_t cell = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; cell < cells;  //@ instructions=40000
       cell += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
    out[cell] = a[cell] + b[cell % width];
}
