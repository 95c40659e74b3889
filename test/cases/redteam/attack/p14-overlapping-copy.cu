// task: entry-p07-shift
// source: p
// does: moves the queue up by one copy within the GPU whose source and target overlap, for which CUDA promises nothing
// caught by: overlapping-copy

__global__ void moveUp(const float* fresh, float* end, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < k) end[i] = fresh[i];
}

void shifted(float* queue, const float* fresh, int n, int k) {
  cudaMemcpyAsync(queue, queue + k, (n - k) * sizeof(float), cudaMemcpyDeviceToDevice, 0);
  moveUp<<<(k + 127) / 128, 128>>>(fresh, queue + n - k, k);
}
