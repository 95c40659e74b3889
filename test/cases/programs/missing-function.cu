// Calls the driver, which the virtual GPU has not.
#include <cuda.h>

int main() {
  CUdevice device;
  cuInit(0);
  return cuDeviceGet(&device, 0);
}
