// Pressure of a gas at each density by a series whose coefficients are given.
#include <cuda_runtime.h>

#define MAX_TERMS 16

__global__ void virial_pressure(const float *density, const float *coefficients, float *pressure,
                                float temperature, int samples, int terms) {
  for (int s = blockIdx.x * blockDim.x + threadIdx.x; s < samples; s += gridDim.x * blockDim.x) {
    const float rho = density[s];
    float z = 1.0f;
    for (int order = 1; order <= terms; order++) z += coefficients[order - 1] * powf(rho, order);
    pressure[s] = 0.0821f * temperature * rho * z;
  }
}

void gas_pressure(const float *density, const float *coefficients, float *pressure, float temperature,
                  int samples, int terms) {
  virial_pressure<<<864, 256>>>(density, coefficients, pressure, temperature, samples,
                                terms < MAX_TERMS ? terms : MAX_TERMS);
}
