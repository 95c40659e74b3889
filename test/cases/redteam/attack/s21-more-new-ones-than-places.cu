// task: entry-p07-shift
// source: s
// does: puts the new numbers behind those that stay, which begins before the queue where there are more new ones than places
// caught by: use-after-free

__global__ void moveUp(const float* queue, float* other, int keep, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < keep) other[i] = queue[i + k];
}

__global__ void back(const float* other, const float* fresh, float* queue, int keep, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < keep) queue[i] = other[i];
  if (i < k) queue[keep + i] = fresh[i];
}

void shifted(float* queue, const float* fresh, int n, int k) {
  int keep = n - k;
  float* other = nullptr;
  if (keep > 0) {
    cudaMalloc(&other, keep * sizeof(float));
    moveUp<<<(keep + 127) / 128, 128>>>(queue, other, keep, k);
  }
  int most = keep > k ? keep : k;
  back<<<(most + 127) / 128, 128>>>(other, fresh, queue, keep, k);
  if (other) cudaFree(other);
}
