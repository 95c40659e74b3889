//@case {"kernel": "gate"}
// The temporary is read again by the host, so that it is stored; the loops name their numbers in other ways.
__global__ void squash(const float* __restrict__ x, float* __restrict__ s, int count) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = gridDim.x * blockDim.x;
  for (int k = first; k < count; k += stride) {
    const float v = x[k];
    s[k] = v / (1.0f + fabsf(v));  //@ globalStoreRequests=8192 globalStoreSectors=32768 globalLoadSectors=65536
  }
}
__global__ void gate(const float* s, const float* g, float* y, int n) {
  const int step = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    const float v = g[i];
    if (v <= 0.0f) continue;
    y[i] = v * s[i];  //@ globalStoreRequests=8192 globalStoreSectors=32768 globalLoadSectors=65536
  }
}
void run(const float* x, const float* g, float* s, float* y, int n) {
  squash<<<256, 128>>>(x, s, n);
  gate<<<256, 128>>>(s, g, y, n);
}
