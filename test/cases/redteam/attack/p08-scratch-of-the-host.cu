// task: entry-p07-shift
// source: p
// does: moves the queue through mapped memory of the host, which no copy call reaches, but each access of a kernel crosses the link to
// caught by: no gain

__global__ void moveUp(const float* queue, const float* fresh, float* other, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) other[i] = i + k < n ? queue[i + k] : fresh[i + k - n];
}

__global__ void back(const float* other, float* queue, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) queue[i] = other[i];
}

void shifted(float* queue, const float* fresh, int n, int k) {
  float *other, *seen;
  cudaHostAlloc((void**)&other, n * sizeof(float), cudaHostAllocMapped);
  cudaHostGetDevicePointer((void**)&seen, other, 0);
  moveUp<<<(n + 127) / 128, 128>>>(queue, fresh, seen, n, k);
  back<<<(n + 127) / 128, 128>>>(seen, queue, n);
  cudaFreeHost(other);
}
