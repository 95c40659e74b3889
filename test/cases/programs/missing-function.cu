#include <cuda.h>

// The driver's functions that link device code, which the virtual GPU's driver API lacks.
int main() {
  CUlinkState state;
  if (cuLinkCreate(0, nullptr, nullptr, &state) != CUDA_SUCCESS) return 1;
  return cuLinkDestroy(state);
}
