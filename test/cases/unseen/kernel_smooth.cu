// Nadaraya-Watson estimate at many points from a few sites, bivariate Cauchy kernel.
#include <math.h>
#include <cuda_runtime.h>

__device__ float cauchy(float dx, float dy, float bandwidth)
{
  const float u2 = powf(dx / bandwidth, 2.0f) + powf(dy / bandwidth, 2.0f);
  return powf(1.0f + u2, -1.5f) / (6.2831853f * powf(bandwidth, 2.0f));
}

__global__ void nw_estimate(const float* px, const float* py,
                            const float* site_x, const float* site_y, const float* response,
                            float* estimate, float* density,
                            float bandwidth, int n_points, int n_sites)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n_points) return;

  const float x = px[i];
  const float y = py[i];
  float weighted = 0.0f;
  float total = 0.0f;
  for (int j = 0; j < n_sites; ++j) {
    const float w = cauchy(x - site_x[j], y - site_y[j], bandwidth);
    weighted += w * response[j];
    total += w;
  }
  estimate[i] = weighted / total;
  density[i] = total / n_sites;
}

void smooth_responses(const float* px, const float* py, const float* site_x, const float* site_y,
                      const float* response, float* estimate, float* density,
                      float bandwidth, int n_points, int n_sites)
{
  nw_estimate<<<(n_points + 127) / 128, 128>>>(px, py, site_x, site_y, response, estimate, density,
                                               bandwidth, n_points, n_sites);
}
