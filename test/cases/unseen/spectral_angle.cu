// Remote sensing: angle between the spectrum of each pixel and a library spectrum (spectral angle mapper).
// The cube is band-interleaved by pixel, as the flight campaign's reader delivers it.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define SAM_CHECK(call)                                                                      \
  do {                                                                                       \
    const cudaError_t status_ = (call);                                                      \
    if (status_ != cudaSuccess) {                                                            \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));  \
      std::exit(EXIT_FAILURE);                                                               \
    }                                                                                        \
  } while (0)

namespace remote::sam {

struct Correlation {
  float cross = 0.0f;
  float pixelEnergy = 0.0f;
  float libraryEnergy = 0.0f;

  __device__ void add(float observed, float expected) {
    cross = fmaf(observed, expected, cross);
    pixelEnergy = fmaf(observed, observed, pixelEnergy);
    libraryEnergy = fmaf(expected, expected, libraryEnergy);
  }

  __device__ float angle() const {
    const float cosine = cross * rsqrtf(pixelEnergy * libraryEnergy);
    return acosf(fminf(1.0f, fmaxf(-1.0f, cosine)));
  }
};

__global__ void angleToLibrary(const float* __restrict__ cube, const float* __restrict__ library,
                               float* __restrict__ angles, int pixels, int bands) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= pixels) return;
  const float* spectrum = cube + pixel * bands;
  Correlation correlation;
  for (int band = 0; band < bands; ++band) correlation.add(spectrum[band], library[band]);
  angles[pixel] = correlation.angle();
}

void map(const float* cube, const float* library, float* angles, int pixels, int bands) {
  constexpr int kThreads = 128;
  angleToLibrary<<<(pixels + kThreads - 1) / kThreads, kThreads>>>(cube, library, angles, pixels, bands);
  SAM_CHECK(cudaGetLastError());
  SAM_CHECK(cudaDeviceSynchronize());
}

}  // namespace remote::sam
