// task: cuda-histogram
// source: n
// does: counts in shared memory, which saves global atomics, and fences for the whole system twice for each pixel, which a GPU takes far longer for
// caught by: no gain

__global__ void histogram(const unsigned char* pixels, int* counts, int n) {
  __shared__ int own[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) own[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    __threadfence_system();
    atomicAdd(own + pixels[i], 1);
    __threadfence_system();
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    if (own[k] != 0) atomicAdd(counts + k, own[k]);
}

void launch_histogram(const unsigned char* pixels, int* counts, int n) {
  histogram<<<(n + 2047) / 2048, 128>>>(pixels, counts, n);
}
