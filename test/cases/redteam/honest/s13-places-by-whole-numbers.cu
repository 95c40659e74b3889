// task: entry-resample
// does: finds the place between the samples exactly, by whole numbers of 64 bits, which is closer than floats come

__global__ void resample(const float* x, float* y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  // at = (i + 1/2) n / m - 1/2 = whole / (2 m)
  long long whole = (2ll * i + 1) * n - m, unit = 2ll * m;
  long long below = whole >= 0 ? whole / unit : -1;
  float part = static_cast<float>(whole - below * unit) / static_cast<float>(unit);
  int left = below < 0 ? 0 : static_cast<int>(below);
  int right = min(n - 1, static_cast<int>(below) + 1);
  y[i] = x[left] + part * (x[right] - x[left]);
}

void resampled(const float* x, float* y, int n, int m) { resample<<<(m + 127) / 128, 128>>>(x, y, n, m); }
