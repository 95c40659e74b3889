#include <cuda.h>

// Functions of the driver API that the virtual GPU's driver lacks.
int main() {
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR descriptor{};
  if (cuArrayCreate(&array, &descriptor) != CUDA_SUCCESS) return 1;
  return cuArrayDestroy(array);
}
