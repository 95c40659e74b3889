// task: entry-p07-shift
// does: one block marches through the queue: all load what lies k further on, meet, and store, so that nothing is overwritten before it is read

__global__ void __launch_bounds__(1024) moveUp(float* queue, const float* fresh, int n, int k) {
  for (int start = 0; start < n; start += 8 * 1024) {
    float held[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      int i = start + j * 1024 + threadIdx.x;
      if (i < n) held[j] = i + k < n ? queue[i + k] : fresh[i + k - n];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      int i = start + j * 1024 + threadIdx.x;
      if (i < n) queue[i] = held[j];
    }
  }
}

void shifted(float* queue, const float* fresh, int n, int k) {
  moveUp<<<1, 1024>>>(queue, fresh, n, k);
}
