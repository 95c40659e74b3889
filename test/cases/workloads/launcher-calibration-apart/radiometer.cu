#include <cuda_runtime.h>

namespace radiometer {

// What the calibration of a detector says; another part of the program loads it.
struct Calibration {
  double gain;
  float darkLevel;
  int detectors;
  int lines;
};

__constant__ Calibration calibration;
__constant__ float response[16], background[16];

__global__ void toRadiance(const unsigned short *counts, float *radiance) {
  const int detector = blockIdx.x * blockDim.x + threadIdx.x;
  const int line = blockIdx.y;
  if (detector >= calibration.detectors || line >= calibration.lines) return;
  const int at = line * calibration.detectors + detector;
  const int band = detector % 16;
  const float level = (counts[at] - calibration.darkLevel) * response[band] - background[band];
  radiance[at] = static_cast<float>(calibration.gain) * level;
}

void load(const Calibration &given, const float *bands, const float *dark) {
  cudaMemcpyToSymbol(calibration, &given, sizeof given);
  cudaMemcpyToSymbol(response, bands, sizeof response);
  cudaMemcpyToSymbol(background, dark, sizeof background);
}

void convertScan(const unsigned short *counts, float *radiance, int detectors, int lines) {
  const dim3 grid((detectors + 191) / 192, lines);
  toRadiance<<<grid, 192>>>(counts, radiance);
}

}  // namespace radiometer
