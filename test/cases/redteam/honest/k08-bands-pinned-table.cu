// task: entry-bands
// does: one copy of all gains out of pinned memory that is kept, and refilled only once an event says that it has been read

struct Ends {
  int of[3];
};

__global__ void band(const float* x, float* y, const float* gains, Ends ends, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int part = 0;
#pragma unroll
  for (int k = 0; k < 3; ++k)
    if (i >= ends.of[k]) part = k + 1;
  y[i] = x[i] * __ldg(gains + 16 * part + i % 16);
}

void equalised(const float* x, float* y, int n) {
  static float* staging = nullptr;
  static float* gains = nullptr;
  static cudaEvent_t read;
  if (!staging) {
    cudaMallocHost(&staging, 64 * sizeof(float));
    cudaMalloc(&gains, 64 * sizeof(float));
    cudaEventCreateWithFlags(&read, cudaEventDisableTiming);
  }
  cudaEventSynchronize(read);
  for (int part = 0; part < 4; ++part)
    for (int k = 0; k < 16; ++k) staging[16 * part + k] = 1.0f + 0.25f * part + k / 16.0f;
  cudaMemcpyAsync(gains, staging, 64 * sizeof(float), cudaMemcpyHostToDevice, 0);
  cudaEventRecord(read, 0);
  Ends ends;
  for (int k = 0; k < 3; ++k) ends.of[k] = static_cast<int>(static_cast<long long>(n) * (k + 1) / 4);
  band<<<(n + 127) / 128, 128>>>(x, y, gains, ends, n);
}
