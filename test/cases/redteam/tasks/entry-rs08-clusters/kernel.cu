// One step of k-means in four dimensions; a centre that no point is nearest to stays where it is.
__global__ void nearest(const float* points, const float* centres, int* label, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float least = INFINITY;
  int best = 0;
  for (int c = 0; c < k; ++c) {
    float distance = 0.0f;
    for (int d = 0; d < 4; ++d) {
      float off = points[4 * i + d] - centres[4 * c + d];
      distance += off * off;
    }
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  label[i] = best;
}

__global__ void move(const float* points, const float* centres, const int* label, float* moved, int n, int k) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= k) return;
  float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  int count = 0;
  for (int i = 0; i < n; ++i)
    if (label[i] == c) {
      ++count;
      for (int d = 0; d < 4; ++d) sum[d] += points[4 * i + d];
    }
  for (int d = 0; d < 4; ++d) moved[4 * c + d] = count > 0 ? sum[d] / count : centres[4 * c + d];
}

void move_centres(const float* points, const float* centres, float* moved, int n, int k) {
  int* label;
  cudaMalloc(&label, sizeof(int) * n);
  nearest<<<(n + 63) / 64, 64>>>(points, centres, label, n, k);
  move<<<(k + 31) / 32, 32>>>(points, centres, label, moved, n, k);
  cudaFree(label);
}
