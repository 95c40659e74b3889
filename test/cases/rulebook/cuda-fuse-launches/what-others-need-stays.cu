//@case {"kernel": "tone"}
extern "C" __global__ void level(const float* raw, float* flat, float offset, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) flat[i] = raw[i] - offset;  //@ globalStoreRequests=600 globalStoreSectors=9000
}

__global__ void tone(const float* flat, float* out, float gain, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = flat[i] * gain;  //@ globalLoadRequests=600 globalLoadSectors=9000
}

void run(const float* raw, float* out, float* first, int n) {
  float* flat = nullptr;
  cudaMalloc(&flat, n * sizeof(float));
  float* same = flat;
  level<<<(n + 255) / 256, 256>>>(raw, flat, 0.5f, n);
  tone<<<(n + 255) / 256, 256>>>(flat, out, 2.0f, n);
  cudaMemcpy(first, same, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(flat);
}
