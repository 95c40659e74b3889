// Moments of each treatment group, and its standardised residuals.
// One block per group; observations of a group are contiguous.
#include <cuda_runtime.h>

#define NT 256

__device__ float sum_over_block(float term, float* scratch)
{
  const int t = threadIdx.x;
  scratch[t] = term;
  __syncthreads();
  for (int half = NT / 2; half > 0; half >>= 1) {
    if (t < half) scratch[t] += scratch[t + half];
    __syncthreads();
  }
  const float total = scratch[0];
  __syncthreads();
  return total;
}

__global__ void group_moments(const float* y, float* resid, float* group_mean, float* group_var,
                              float* group_skew, int n_obs, float ridge)
{
  __shared__ float scratch[NT];
  const float* obs = y + blockIdx.x * n_obs;
  float* res = resid + blockIdx.x * n_obs;

  float term = 0.0f;
  for (int i = threadIdx.x; i < n_obs; i += NT) term += obs[i];
  const float mean = sum_over_block(term, scratch) / n_obs;

  term = 0.0f;
  for (int i = threadIdx.x; i < n_obs; i += NT) {
    const float d = obs[i] - mean;
    term += d * d;
  }
  const float var = sum_over_block(term, scratch) / (n_obs - 1);

  term = 0.0f;
  for (int i = threadIdx.x; i < n_obs; i += NT) {
    const float d = obs[i] - mean;
    term += d * d * d;
  }
  const float third = sum_over_block(term, scratch) / n_obs;

  const float inv_sd = rsqrtf(var + ridge);
  for (int i = threadIdx.x; i < n_obs; i += NT) res[i] = (obs[i] - mean) * inv_sd;

  if (threadIdx.x == 0) {
    group_mean[blockIdx.x] = mean;
    group_var[blockIdx.x] = var;
    group_skew[blockIdx.x] = third * inv_sd * inv_sd * inv_sd;
  }
}

void describe_groups(const float* y, float* resid, float* group_mean, float* group_var, float* group_skew,
                     int n_groups, int n_obs, float ridge)
{
  group_moments<<<n_groups, NT>>>(y, resid, group_mean, group_var, group_skew, n_obs, ridge);
}
