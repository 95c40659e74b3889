// A queue in place: the oldest k numbers leave, the others move up, and k new ones follow.
__global__ void moveUp(const float* queue, const float* fresh, float* other, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) other[i] = i + k < n ? queue[i + k] : fresh[i + k - n];
}

__global__ void back(const float* other, float* queue, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 32;
  for (int i = first; i < first + 32 && i < n; ++i) queue[i] = other[i];
}

void shifted(float* queue, const float* fresh, int n, int k) {
  float* other;
  cudaMalloc(&other, n * sizeof(float));
  moveUp<<<(n + 127) / 128, 128>>>(queue, fresh, other, n, k);
  back<<<(n + 2047) / 2048, 64>>>(other, queue, n);
  cudaFree(other);
}
