// Great-circle distance (km) and initial bearing (degrees) from one tide gauge to every buoy.
#include <cmath>
#include <cuda_runtime.h>

namespace geo {

constexpr double kEarthRadiusKm = 6371.0088;
constexpr double kPi = 3.14159265358979323846;

struct Gauge {
  float latitude;   // degrees north
  float longitude;  // degrees east
};

__device__ __forceinline__ float toRadians(float degrees) { return degrees * (kPi / 180.0); }

__global__ void distanceAndBearing(const float* __restrict__ latitude, const float* __restrict__ longitude,
                                   float* __restrict__ km, float* __restrict__ bearing, Gauge gauge, int count) {
  const int stride = gridDim.x * blockDim.x;
  const float phi1 = toRadians(gauge.latitude);
  const float lambda1 = toRadians(gauge.longitude);

  for (int buoy = blockIdx.x * blockDim.x + threadIdx.x; buoy < count; buoy += stride) {
    const float phi2 = toRadians(latitude[buoy]);
    const float dLambda = toRadians(longitude[buoy]) - lambda1;

    const float sPhi = sin(0.5 * (phi2 - phi1));
    const float sLambda = sin(0.5 * dLambda);
    const float a = sPhi * sPhi + cos(phi1) * cos(phi2) * sLambda * sLambda;
    km[buoy] = 2.0 * kEarthRadiusKm * asin(a < 1.0 ? sqrt(a) : 1.0);

    const float east = sin(dLambda) * cos(phi2);
    const float north = cos(phi1) * sin(phi2) - sin(phi1) * cos(phi2) * cos(dLambda);
    bearing[buoy] = atan2(east, north) * (180.0 / kPi);
  }
}

}  // namespace geo

void buoysFromGauge(const float* latitude, const float* longitude, float* km, float* bearing, float gaugeLatitude,
                    float gaugeLongitude, int count) {
  const int threads = 192;
  const int blocks = (count + threads - 1) / threads;
  geo::distanceAndBearing<<<blocks, threads>>>(latitude, longitude, km, bearing,
                                               geo::Gauge{gaugeLatitude, gaugeLongitude}, count);
}
