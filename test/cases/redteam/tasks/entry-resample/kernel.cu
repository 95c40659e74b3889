// m points of a signal of n samples, with straight lines between them.
__global__ void resample(const float* x, float* y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float at = (i + 0.5f) * (static_cast<float>(n) / m) - 0.5f;
  float below = floorf(at);
  float part = at - below;
  int left = max(0, min(n - 1, static_cast<int>(below)));
  int right = max(0, min(n - 1, static_cast<int>(below) + 1));
  y[i] = x[left] + part * (x[right] - x[left]);
}

void resampled(const float* x, float* y, int n, int m) { resample<<<(m + 63) / 64, 64>>>(x, y, n, m); }
