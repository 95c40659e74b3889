#include <cstddef>
// L1 norm of every scan line of a pitched image.
__global__ void line_norms(const char* image, size_t pitch, float* norms, unsigned width, unsigned height) {
  const unsigned y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  const float* line = reinterpret_cast<const float*>(image + y * pitch);
  float total = 0.0f;
  for (unsigned x = 0; x != width; ++x) total += fabsf(line[x]);
  norms[y] = total;
}
void lineNorms(const float* image, unsigned pitchElements, float* norms, unsigned width, unsigned height) {
  line_norms<<<(height + 63) / 64, 64>>>(reinterpret_cast<const char*>(image), pitchElements * sizeof(float), norms, width, height);
}
