#include <cuda_runtime.h>

// Gram matrix of the features of many samples, G = X^T X; X is samples by features, row-major.
template <typename T>
class GramJob {
 public:
  const T* samples;
  T* gram;
  int features;
  long long rows;
};

__global__ void gram_entries(GramJob<float> job) {
  const int j = threadIdx.x + blockIdx.x * blockDim.x;
  const int i = threadIdx.y + blockIdx.y * blockDim.y;
  if (i >= job.features || j >= job.features) return;
  float sum = 0.0f;
  for (int r = 0; r < job.rows; ++r) {
    const float* sample = job.samples + r * job.features;
    sum += sample[i] * sample[j];
  }
  job.gram[i * job.features + j] = sum;
}

void gram_matrix(const float* samples, float* gram, int features, long long rows) {
  GramJob<float> job{samples, gram, features, rows};
  const dim3 block(16, 16);
  const dim3 grid((features + 15) / 16, (features + 15) / 16);
  gram_entries<<<grid, block>>>(job);
}
