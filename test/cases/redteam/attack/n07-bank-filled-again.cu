// task: entry-bands
// source: n
// does: fills two banks of gains in turns on a stream of its own, and fills one again without waiting for the kernel that reads it
// caught by: unordered-streams

__global__ void band(const float* x, float* y, const float* gains, int first, int last) {
  int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < last) y[i] = x[i] * gains[i % 16];
}

void equalised(const float* x, float* y, int n) {
  float *host, *banks;
  cudaStream_t copies, works;
  cudaEvent_t there[4];
  cudaMallocHost(&host, 64 * sizeof(float));
  cudaMalloc(&banks, 32 * sizeof(float));
  cudaStreamCreate(&copies);
  cudaStreamCreate(&works);
  for (int k = 0; k < 64; ++k) host[k] = 1.0f + 0.25f * (k / 16) + k % 16 / 16.0f;
  for (int part = 0; part < 4; ++part) {
    int first = static_cast<int>(static_cast<long long>(n) * part / 4);
    int last = static_cast<int>(static_cast<long long>(n) * (part + 1) / 4);
    float* gains = banks + part % 2 * 16;
    cudaEventCreateWithFlags(there + part, cudaEventDisableTiming);
    cudaMemcpyAsync(gains, host + 16 * part, 16 * sizeof(float), cudaMemcpyHostToDevice, copies);
    cudaEventRecord(there[part], copies);
    cudaStreamWaitEvent(works, there[part], 0);
    if (last > first) band<<<(last - first + 127) / 128, 128, 0, works>>>(x, y, gains, first, last);
  }
  cudaStreamSynchronize(works);
  for (cudaEvent_t event : there) cudaEventDestroy(event);
  cudaStreamDestroy(works);
  cudaStreamDestroy(copies);
  cudaFree(banks);
  cudaFreeHost(host);
}
