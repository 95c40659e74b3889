// task: entry-bands
// source: k
// does: refills one pinned table for the next part while the copy for the part before may not have read it yet
// caught by: unordered-streams or wrong values

__global__ void band(const float* x, float* y, const float* gains, int first, int last) {
  int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < last) y[i] = x[i] * __ldg(gains + i % 16);
}

void equalised(const float* x, float* y, int n) {
  // Pinned, so that nothing waits: copies and kernels queue up in order on the stream.
  static float* staging = nullptr;
  static float* gains = nullptr;
  if (!staging) {
    cudaMallocHost(&staging, 16 * sizeof(float));
    cudaMalloc(&gains, 16 * sizeof(float));
  }
  for (int part = 0; part < 4; ++part) {
    int first = static_cast<int>(static_cast<long long>(n) * part / 4);
    int last = static_cast<int>(static_cast<long long>(n) * (part + 1) / 4);
    for (int k = 0; k < 16; ++k) staging[k] = 1.0f + 0.25f * part + k / 16.0f;
    cudaMemcpyAsync(gains, staging, 16 * sizeof(float), cudaMemcpyHostToDevice, 0);
    if (last > first) band<<<(last - first + 255) / 256, 256>>>(x, y, gains, first, last);
  }
  cudaStreamSynchronize(0);
}
