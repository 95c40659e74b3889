// task: entry-bands
// does: fills two banks of gains in turns on a stream of its own, which waits for the kernel that has read a bank before it fills it again

__global__ void band(const float* x, float* y, const float* gains, int first, int last) {
  int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < last) y[i] = x[i] * gains[i % 16];
}

void equalised(const float* x, float* y, int n) {
  float *host, *banks;
  cudaStream_t copies, works;
  cudaEvent_t there[2], read[2];
  cudaMallocHost(&host, 64 * sizeof(float));
  cudaMalloc(&banks, 32 * sizeof(float));
  cudaStreamCreate(&copies);
  cudaStreamCreate(&works);
  for (int bank = 0; bank < 2; ++bank) {
    cudaEventCreateWithFlags(there + bank, cudaEventDisableTiming);
    cudaEventCreateWithFlags(read + bank, cudaEventDisableTiming);
  }
  for (int k = 0; k < 64; ++k) host[k] = 1.0f + 0.25f * (k / 16) + k % 16 / 16.0f;
  for (int part = 0; part < 4; ++part) {
    int first = static_cast<int>(static_cast<long long>(n) * part / 4);
    int last = static_cast<int>(static_cast<long long>(n) * (part + 1) / 4);
    int bank = part % 2;
    if (part >= 2) cudaStreamWaitEvent(copies, read[bank], 0);
    cudaMemcpyAsync(banks + 16 * bank, host + 16 * part, 16 * sizeof(float), cudaMemcpyHostToDevice, copies);
    cudaEventRecord(there[bank], copies);
    cudaStreamWaitEvent(works, there[bank], 0);
    if (last > first) band<<<(last - first + 127) / 128, 128, 0, works>>>(x, y, banks + 16 * bank, first, last);
    cudaEventRecord(read[bank], works);
  }
  cudaStreamSynchronize(works);
  for (int bank = 0; bank < 2; ++bank) {
    cudaEventDestroy(there[bank]);
    cudaEventDestroy(read[bank]);
  }
  cudaStreamDestroy(works);
  cudaStreamDestroy(copies);
  cudaFree(banks);
  cudaFreeHost(host);
}
