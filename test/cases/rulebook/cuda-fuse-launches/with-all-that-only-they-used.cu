//@case {"kernel": "tone"}
#define CHECK(call) if ((call) != cudaSuccess) fail(#call)

// Raw frames as the sensor gives them.

// Takes the sensor's offset off.
// One thread a sample.
__global__ void level(const float* raw, float* flat, float offset, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) flat[i] = raw[i] - offset;  //@ globalStoreRequests=600 globalStoreSectors=9000
}

// Brightens.
__global__ void tone(const float* flat, float* out, float gain, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = flat[i] * gain;  //@ globalLoadRequests=600 globalLoadSectors=9000
}

void run(const float* frame, float* print, int n) {
  const size_t bytes = n * sizeof(float);
  const size_t flatBytes = n * sizeof(float);
  float *raw, *flat, *out;
  CHECK(cudaMalloc(&raw, bytes));
  CHECK(cudaMalloc((void**)&flat, flatBytes));
  CHECK(cudaMalloc(&out, bytes));
  CHECK(cudaMemcpy(raw, frame, bytes, cudaMemcpyHostToDevice));
  level<<<(n + 255) / 256, 256>>>(raw, flat, 0.5f, n);  // the sensor's own offset
  tone<<<(n + 255) / 256, 256>>>(flat, out, 2.0f, n);
  CHECK(cudaMemcpy(print, out, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(raw));
  CHECK(cudaFree(flat));
  CHECK(cudaFree(out));
}
